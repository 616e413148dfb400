/** An object without its undefined members, as `exactOptionalPropertyTypes` wants it. */
export type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Leaves out the members that are undefined. */
export function given<Members extends object>(members: Members): Given<Members> {
  // True because exactly the undefined members are gone.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Members>;
}
