import type { Environment } from './environment.ts';

interface Missing {
  path: (string | number)[];
  name: string;
}

/**
 * Replaces `${NAME}` in every string of a value by that variable; `$${` stands for `${` itself. Variables that aren't set, or
 * are empty, are returned with the path of the string.
 */
export function substitute(value: unknown, env: Environment): { value: unknown; missing: Missing[] } {
  const missing: Missing[] = [];
  const visit = (part: unknown, path: (string | number)[]): unknown => {
    if (typeof part === 'string') {
      return part.replace(/\$(\$\{)|\$\{([^}]*)\}/g, (_, escaped?: string, written = '') => {
        if (escaped !== undefined) return escaped;
        const name = String(written).trim();
        const found = env[name];
        if (!found) missing.push({ path, name });
        return found ?? '';
      });
    }
    if (Array.isArray(part)) return part.map((item, i) => visit(item, [...path, i]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item, [...path, key])]));
  };
  return { value: visit(value, []), missing };
}
