import type { LoadWorld } from './load-world.ts';

/** From each request of a crew to its card, in milliseconds, shortest first. */
export async function cardWaitsMs({ world }: LoadWorld): Promise<number[]> {
  const asked = new Map<string, number[]>();
  for (const { kind, url, at } of await world.crews.sandbox.webhooks()) {
    if (kind !== 'human-input') continue;
    const ref = /executions\/(\w+)\//.exec(url)?.[1] ?? '';
    asked.set(ref, [...(asked.get(ref) ?? []), at]);
  }
  return world.slack
    .messages()
    .flatMap(({ metadata, ts }) => {
      const payload = JSON.stringify(metadata ?? {});
      const number = Number(/"key":"card:(\d+)"/.exec(payload)?.[1] ?? 0);
      const at = asked.get(/"ref":"(\w+)"/.exec(payload)?.[1] ?? '')?.[number - 1];
      return at === undefined ? [] : [Number(ts) * 1_000 - at];
    })
    .sort((a, b) => a - b);
}
