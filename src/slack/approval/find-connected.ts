import type { ListenerContext } from '../interaction/listener-context.ts';

/** Who of these people has connected a token of their own to the crew; null if it doesn't require one. Throws `StoreUnavailable`. */
export async function findConnected(
  { crews, connectedTo }: Pick<ListenerContext, 'crews' | 'connectedTo'>,
  crew: string,
  people: readonly string[],
): Promise<ReadonlySet<string> | null> {
  if (!crews.get(crew)?.requireUserToken) return null;
  const areConnected = await Promise.all(people.map((id) => connectedTo(crew, id)));
  return new Set(people.filter((_, i) => areConnected[i]));
}
