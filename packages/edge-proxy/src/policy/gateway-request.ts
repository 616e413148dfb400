/** Which messages the gateway route takes. Pure. */

/** Whether the property lets its callers send this. Exactly what is listed, in that spelling. */
export function isAllowedGatewayCall(allow: readonly string[], protocol: string, method: string): boolean {
  return allow.includes(`${protocol}/${method}`);
}
