/** The limits of attempts in progress at once, in all and to one server. Each keeps a connection until it is answered. */
const MOST = 128;
export const MOST_PER_SERVER = 16;

/** Bounds what is sent at once. Servers take turns, so that slow ones leave room for others. */
interface Slots {
  /**
   * Runs `work` as soon as a slot is free.
   * @param origin of the server that the slot is for
   * @param urgency what is `urgent` overtakes what isn't, on the way to the same server
   */
  use<Result>(origin: string, urgency: Urgency, work: () => Promise<Result>): Promise<Result>;
}

type Urgency = 'urgent' | 'normal';
type Server = { active: number; readonly waiting: Readonly<Record<Urgency, (() => void)[]>> };

function canStart({ active, waiting }: Server): boolean {
  return active < MOST_PER_SERVER && waiting.urgent.length + waiting.normal.length > 0;
}

export function createSlots(): Slots {
  /** In the order in which they have their turns. */
  const servers = new Map<string, Server>();
  let active = 0;

  function startNext(): void {
    const next = active < MOST && [...servers].find(([, server]) => canStart(server));
    if (!next) return;
    const [origin, server] = next;
    active++;
    server.active++;
    servers.delete(origin);
    servers.set(origin, server);
    const start = server.waiting.urgent.shift() ?? server.waiting.normal.shift();
    start?.();
  }

  function release(origin: string, server: Server): void {
    active--;
    server.active--;
    const { urgent, normal } = server.waiting;
    if (server.active + urgent.length + normal.length === 0) servers.delete(origin);
    startNext();
  }

  return {
    async use(origin, urgency, work) {
      const server = servers.get(origin) ?? { active: 0, waiting: { urgent: [], normal: [] } };
      servers.set(origin, server);
      await new Promise<void>((resolve) => {
        server.waiting[urgency].push(resolve);
        startNext();
      });
      try {
        return await work();
      } finally {
        release(origin, server);
      }
    },
  };
}
