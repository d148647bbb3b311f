/**
 * Returns `next`, with every part that equals its counterpart in `previous` replaced by that counterpart. Only changed
 * parts of a snapshot change identity, so only they are rendered again.
 */
export function reuseUnchanged<T>(previous: unknown, next: T): T;
export function reuseUnchanged(previous: unknown, next: unknown): unknown {
  if (Object.is(previous, next) || !isContainer(previous) || !isContainer(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const before = new Map(Object.entries(previous));
  let isSame = before.size === Object.keys(next).length;
  const entries = Object.entries(next).map(([key, value]) => {
    const reused = reuseUnchanged(before.get(key), value);
    isSame &&= before.has(key) && Object.is(reused, before.get(key));
    return [key, reused] as const;
  });
  if (isSame) return previous;
  return Array.isArray(next) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
