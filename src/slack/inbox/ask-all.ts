import { LRUCache } from 'lru-cache';
import { inParallel } from '../../core/in-parallel.ts';

const ASKED_AT_ONCE = 8;
/** Otherwise each opening would ask a Slack that is in trouble again. */
const FAILED_MS = 10_000;
const MOST_FAILURES = 5_000;

/** Asks many questions, a few at a time, until the deadline. What isn't known by then is null. */
export type AskAll = <Answer>(
  questions: Iterable<string>,
  ask: (question: string) => Promise<Answer | null>,
  deadline: AbortSignal,
) => Promise<ReadonlyMap<string, Answer | null>>;

/** `ask` answers null where Slack can't tell; that question isn't asked again for ten seconds. */
export function createAskAll(): AskAll {
  const failed = new LRUCache<string, true>({ max: MOST_FAILURES, ttl: FAILED_MS });
  return async (questions, ask, deadline) => {
    const open = [...questions].filter((question) => !failed.has(question));
    const answers = new Map<string, Awaited<ReturnType<typeof ask>>>();
    const asked = inParallel(ASKED_AT_ONCE, open, async (question) => {
      if (deadline.aborted) return;
      const answer = await ask(question);
      if (answer === null) failed.set(question, true);
      answers.set(question, answer);
    });
    await Promise.race([asked, aborted(deadline)]);
    // Late answers come to the next one who asks.
    return new Map(answers);
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
