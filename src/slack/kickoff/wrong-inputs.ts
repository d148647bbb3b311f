/**
 * What a crew says is wrong with single inputs, by their names. It may be a list as of a validation error
 * (`inputs.count: must be at most 10; …`), or sentences that quote a name or begin with one.
 */
export function wrongInputs(detail: string, names: readonly string[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const said of detail.split(/;\s|\n/)) {
    const [, place = '', rest = ''] = /^([^:]{1,250}):\s+(.+)$/s.exec(said) ?? [];
    const placed = names.find((name) => name === place || place.endsWith(`inputs.${name}`));
    if (placed !== undefined) found.set(placed, rest);
    else for (const name of names) if (isNamed(name, said)) found.set(name, said);
  }
  return Object.fromEntries(found);
}

const QUOTED = ['""', "''", '``', '“”', '‘’', '„“', '«»'];

function isNamed(name: string, said: string): boolean {
  const isFirst = said.startsWith(`${name} `) || said.startsWith(`${name}:`);
  return isFirst || QUOTED.some((pair) => said.includes(`${pair.charAt(0)}${name}${pair.charAt(1)}`));
}
