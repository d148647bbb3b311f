import type { Json } from '../../core/json.ts';
import { candidates, has, pick } from '../payload/fields.ts';
import { isJsonObject } from '../payload/json-body.ts';
import { plainLine } from '../payload/plain-text.ts';

/** The names of a crew's inputs, in its order. */
interface InputNames {
  names: string[];
  /** Unusable names, made safe to show in a warning. */
  skipped: string[];
}

const LONGEST_NAME = 200;

/** Reads the answer to `GET /inputs` in every shape seen in the field; null if it has none of them. */
export function parseInputs(body: Json): InputNames | null {
  const list = listOf(body);
  if (!list) return null;
  const all = [...new Set(list.flatMap(nameOf))];
  return {
    names: all.filter(isUsable),
    skipped: all.filter((name) => !isUsable(name)).map((name) => plainLine(name, 60)),
  };
}

function listOf(body: Json): Json[] | null {
  const payload = candidates(body).find((each) => has(each, 'inputs'));
  const list = payload ? pick(payload, 'inputs') : body;
  if (Array.isArray(list)) return list;
  return payload && isJsonObject(list) ? Object.keys(list) : null;
}

function nameOf(item: Json): string[] {
  const name = isJsonObject(item) ? pick(item, 'name') : item;
  return typeof name === 'string' ? [name.trim()] : [];
}

/** Whether a name can be typed in a command line and shown safely. */
function isUsable(name: string): boolean {
  return (
    name !== '' && name.length <= LONGEST_NAME && name !== '__proto__' && !/["'`\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)
  );
}
