/** The one way from a name to an object, so that `JURISDICTION` cannot be forgotten. */

/** Where objects live. */
export interface Placement {
  readonly JURISDICTION?: string;
}

/** The object of this name, in the jurisdiction of the deployment. */
export function objectByName<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  name: string,
  { JURISDICTION }: Placement,
): DurableObjectStub<T> {
  const located =
    JURISDICTION === undefined || JURISDICTION === ''
      ? namespace
      : namespace.jurisdiction(JURISDICTION as DurableObjectJurisdiction);
  return located.getByName(name);
}
