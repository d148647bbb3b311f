import { Gauge, type Registry } from 'prom-client';

/** The requests that wait for a decision, over all processes. */
export type FindOpen = () => Promise<readonly { crew: string }[]>;

/** Counts what waits for each crew on each scrape. While the store can't be read, the gauge has no values. */
export function createCrewGauges(
  registry: Registry,
  crews: readonly string[],
  findOpen: FindOpen,
): () => Promise<void> {
  const open = new Gauge({
    name: 'signoff_crew_open_approvals',
    help: 'Approvals that wait for a decision, by crew. Over all processes.',
    labelNames: ['crew'],
    registers: [registry],
  });
  return async () => {
    try {
      const requests = await findOpen();
      // A crew that has left the crews file may have some, too.
      open.reset();
      for (const crew of crews) open.set({ crew }, 0);
      for (const { crew } of requests) open.inc({ crew });
    } catch {
      open.reset();
    }
  };
}
