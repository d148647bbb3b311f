import { ok, type Result, refuse } from '../../../core/values/result.ts';

/** Why inputs can't be read; `text` is the line that names none. */
export type LinesProblem = { kind: 'no-name'; text: string } | { kind: 'repeated'; name: string };

/**
 * The inputs of a crew as a step has them: `name: value` on each line. What a person has typed may go over more lines: a line
 * that doesn't begin with the name of an input goes on with the value before.
 * @param names of the crew's inputs; null if they aren't known, so that each line names one
 */
export function parseInputLines(
  text: string,
  names: readonly string[] | null,
): Result<Record<string, string>, LinesProblem> {
  const values = new Map<string, string>();
  let last: string | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const named = nameIn(line, names);
    if (named && values.has(named.name)) return refuse({ kind: 'repeated', name: named.name });
    if (named) {
      last = named.name;
      values.set(named.name, named.value);
    } else if (last !== null) values.set(last, `${values.get(last)}\n${line}`);
    else if (line.trim() !== '') return refuse({ kind: 'no-name', text: line.trim() });
  }
  return ok(Object.fromEntries([...values].map(([name, value]) => [name, value.trim()])));
}

function nameIn(line: string, names: readonly string[] | null): { name: string; value: string } | null {
  const [, typed = '', value = ''] = /^\s*([^\s:=][^:=]{0,99}?)\s*[:=](.*)$/.exec(line) ?? [];
  if (typed === '') return null;
  const alike =
    names?.find((each) => each === typed) ?? names?.find((each) => each.toLowerCase() === typed.toLowerCase());
  const name = names === null ? typed : alike;
  return name === undefined ? null : { name, value };
}
