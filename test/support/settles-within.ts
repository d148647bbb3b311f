import { setTimeout as pause } from 'node:timers/promises';

/**
 * Whether something settles before a timer of so many milliseconds that starts with it. On a busy machine both are late,
 * and keep their order.
 */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, pause(ms, false, { ref: false })]);
}
