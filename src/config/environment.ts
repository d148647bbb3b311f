/** The type of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Drops variables that are set to nothing, as compose files do. */
export function withoutBlanks(env: Environment): Environment {
  const trimmed = Object.entries(env).map(([name, value]): [string, string] => [name, value?.trim() ?? '']);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}
