import { setTimeout as pause } from 'node:timers/promises';

/** The first value of `look` that is neither undefined nor false. Throws after `deadlineMs`, saying what didn't come. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  deadlineMs = 60_000,
): Promise<Value> {
  const giveUpAt = Date.now() + deadlineMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > giveUpAt) throw new Error(`Timed out after ${deadlineMs} ms waiting for ${what}.`);
    await pause(10);
  }
}
