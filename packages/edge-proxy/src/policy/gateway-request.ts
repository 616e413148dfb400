/** Which messages the gateway route takes. Pure. */

const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

/** True for text that stays one segment of a path. */
export function isGatewaySegment(text: string): boolean {
  return SEGMENT.test(text);
}

/** Whether the property lets its callers send this. Exactly what is listed, in that spelling. */
export function isAllowedGatewayCall(allow: readonly string[], protocol: string, method: string): boolean {
  return allow.includes(`${protocol}/${method}`);
}
