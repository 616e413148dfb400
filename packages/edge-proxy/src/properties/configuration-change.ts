/** Changes of a configuration: how one is merged into what is there, and which fields it touched. */

type Json = Readonly<Record<string, unknown>>;

/** A JSON merge patch (RFC 7396): what is null goes, what is absent stays, lists are replaced whole. */
export function mergePatch(target: unknown, patch: Json): Json {
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? mergePatch(merged[name], value) : value;
  }
  return merged;
}

/** Dotted paths of what differs, in order. A list counts as one field. */
export function changedFields(before: unknown, after: unknown, path = ''): string[] {
  if (!isObject(before) || !isObject(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .flatMap((name) => changedFields(before[name], after[name], path === '' ? name : `${path}.${name}`))
    .sort();
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
