/** Whether one of the patterns names this id: the id itself, its beginning followed by `*`, or only `*`. */
export function isCovered(id: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern));
}
