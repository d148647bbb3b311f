import type { Logger } from 'pino';
import { settlesWithin } from './settles-within.ts';

type StopStep = {
  /** What is being stopped, for the log. */
  readonly name: string;
  readonly withinMs: number;
  readonly stop: () => Promise<void>;
};

/** Stops one thing after another. What takes too long, or fails, keeps none of the following from being stopped. */
export async function stopInOrder(steps: readonly StopStep[], logger: Logger): Promise<void> {
  for (const { name, withinMs, stop } of steps) {
    const failure = stop().catch(String);
    const result = (await settlesWithin(withinMs, failure)) ? await failure : 'too long';
    if (result !== undefined) logger.warn({ step: name, result }, 'not stopped in time or in order');
  }
}
