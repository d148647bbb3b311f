import type { ListenerContext } from '../interaction/listener-context.ts';

/** Who of these people has connected a token of their own to the crew; null if it doesn't require one. Throws `StoreUnavailable`. */
export async function findConnected(
  { crews, userTokens }: Pick<ListenerContext, 'crews' | 'userTokens'>,
  crew: string,
  people: readonly string[],
): Promise<ReadonlySet<string> | null> {
  if (!crews.get(crew)?.requireUserToken) return null;
  const tokens = await Promise.all(people.map((id) => userTokens.find(crew, id)));
  return new Set(people.filter((_, i) => tokens[i] !== null));
}
