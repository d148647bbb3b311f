import { ok, type Result, refuse } from '../../../core/values/result.ts';

/** The reason why inputs can't be read. `text` is the line without a name. */
export type LinesProblem = { kind: 'no-name'; text: string } | { kind: 'repeated'; name: string };

/**
 * Parses the inputs of a step: `name: value` on each line. A line that doesn't begin with the name of an input continues the value before.
 * @param names the crew's inputs; null if they are unknown, so that every line has to name one
 */
export function parseInputLines(
  text: string,
  names: readonly string[] | null,
): Result<Record<string, string>, LinesProblem> {
  const values = new Map<string, string>();
  let last: string | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const input = inputIn(line, names);
    if (input && values.has(input.name)) return refuse({ kind: 'repeated', name: input.name });
    if (input) {
      last = input.name;
      values.set(input.name, input.value);
    } else if (last !== null) values.set(last, `${values.get(last)}\n${line}`);
    else if (line.trim() !== '') return refuse({ kind: 'no-name', text: line.trim() });
  }
  return ok(Object.fromEntries([...values].map(([name, value]) => [name, value.trim()])));
}

function inputIn(line: string, names: readonly string[] | null): { name: string; value: string } | null {
  const [, typed = '', value = ''] = /^\s*([^\s:=][^:=]{0,99}?)\s*[:=](.*)$/.exec(line) ?? [];
  if (typed === '') return null;
  const alike =
    names?.find((each) => each === typed) ?? names?.find((each) => each.toLowerCase() === typed.toLowerCase());
  const name = names === null ? typed : alike;
  return name === undefined ? null : { name, value };
}
