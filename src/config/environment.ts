/** What `process.env` is. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to nothing, as compose files do, is not set. */
export function withoutBlanks(env: Environment): Environment {
  const trimmed = Object.entries(env).map(([name, value]): [string, string] => [name, value?.trim() ?? '']);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}
