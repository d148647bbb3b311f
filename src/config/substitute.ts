import type { Environment } from './environment.ts';

interface Missing {
  path: (string | number)[];
  name: string;
}

interface Substituted {
  value: unknown;
  /** The same, with undefined for each string that names a missing variable. */
  known: unknown;
  missing: Missing[];
}

/**
 * Replaces `${NAME}` in every string of a value by that variable; `$${` stands for `${` itself. Variables that aren't set, or
 * are empty, are returned with the path of the string.
 */
export function substitute(value: unknown, env: Environment): Substituted {
  const missing: Missing[] = [];
  const replaced = mapStrings(value, (text, path) => {
    const { replaced, unset } = replaceIn(text, env);
    missing.push(...unset.map((name) => ({ path, name })));
    return replaced;
  });
  const known = mapStrings(value, (text) => {
    const { replaced, unset } = replaceIn(text, env);
    return unset.length === 0 ? replaced : undefined;
  });
  return { value: replaced, known, missing };
}

function replaceIn(text: string, env: Environment): { replaced: string; unset: string[] } {
  const unset: string[] = [];
  const replaced = text.replace(/\$(\$\{)|\$\{([^}]*)\}/g, (_, escaped?: string, written = '') => {
    if (escaped !== undefined) return escaped;
    const name = String(written).trim();
    const found = env[name];
    if (!found) unset.push(name);
    return found ?? '';
  });
  return { replaced, unset };
}

function mapStrings(
  part: unknown,
  change: (text: string, path: (string | number)[]) => unknown,
  path: (string | number)[] = [],
): unknown {
  if (typeof part === 'string') return change(part, path);
  if (Array.isArray(part)) return part.map((item, i) => mapStrings(item, change, [...path, i]));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, mapStrings(item, change, [...path, key])]));
}
