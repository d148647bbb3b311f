type Named = { readonly name: string };

/** The crews' names. Throws if two have the same one, naming their files. */
export function differentNames(crews: readonly Named[], files: ReadonlyMap<Named, string>): string[] {
  const known = new Map<string, Named>();
  for (const crew of crews) {
    const other = known.get(crew.name);
    if (other !== undefined) throw new Error(`Two crews are named "${crew.name}": ${placesOf(other, crew, files)}.`);
    known.set(crew.name, crew);
  }
  return [...known.keys()];
}

function placesOf(one: Named, other: Named, files: ReadonlyMap<Named, string>): string {
  const [first = 'in memory', second = 'in memory'] = [files.get(one), files.get(other)];
  return first === second ? `both ${first}` : `one ${first}, one ${second}`;
}
