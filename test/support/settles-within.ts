import { setTimeout as pause } from 'node:timers/promises';

/**
 * Whether work settles before a timer that starts with it. On a busy machine both are late, but they keep their order.
 */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, pause(ms, false, { ref: false })]);
}
