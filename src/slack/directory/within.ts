import type { Logger } from 'pino';
import type { Millis } from '../../core/time.ts';

/** How long a question may take with all the calls that it needs: a click has to be acknowledged within three seconds. */
export const MOST_WAIT_MS = 2_000;

/** An answer of Slack, or null if it fails or takes longer; logs which. Never throws. */
export async function within<Answer>(
  waitMs: Millis,
  answer: Promise<Answer>,
  { log, about }: { log: Logger; about: object },
): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${waitMs} ms`)), waitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    log.warn({ ...about, err: error }, 'could not ask Slack about people');
    return null;
  } finally {
    clearTimeout(timer);
  }
}
