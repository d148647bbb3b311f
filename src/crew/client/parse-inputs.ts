import type { Json } from '../../core/json.ts';
import { candidates, has, pick } from '../payload/fields.ts';
import { isJsonObject } from '../payload/json-body.ts';
import { plainLine } from '../payload/plain-text.ts';

/** The names of the inputs that a crew takes, in its order. */
export interface InputNames {
  names: string[];
  /** Names that can't be asked for, made safe to show in a warning. */
  skipped: string[];
}

const LONGEST_NAME = 200;

/** Reads the answer of `GET /inputs` in every shape that services were seen to give; null where it is none of them. */
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

/** Such names can neither be typed in a command line nor shown safely. `__proto__` is no key of an honest object. */
function isUsable(name: string): boolean {
  return (
    name !== '' && name.length <= LONGEST_NAME && name !== '__proto__' && !/["'`\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)
  );
}
