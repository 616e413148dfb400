/** RFC 3339 in UTC. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
