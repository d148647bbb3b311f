import type { Crew } from '../core/crew.ts';

/** The id of a crew's channel, looked up once if the operator gave its name; null if none is set or found. */
export function createChannelOf(
  crews: ReadonlyMap<string, Crew>,
  find: (idOrName: string) => Promise<string | null>,
): (crew: string) => Promise<string | null> {
  const known = new Map<string, string>();
  return async (crew) => {
    const channel = crews.get(crew)?.channel ?? null;
    if (channel === null) return null;
    const id = known.get(channel) ?? (await find(channel));
    if (id !== null) known.set(channel, id);
    return id;
  };
}
