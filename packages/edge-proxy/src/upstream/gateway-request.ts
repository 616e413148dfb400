/** Which messages the gateway route accepts. Pure. */

/** Whether the property's list has exactly this message. */
export function isAllowedGatewayCall(allow: readonly string[], protocol: string, method: string): boolean {
  return allow.includes(`${protocol}/${method}`);
}
