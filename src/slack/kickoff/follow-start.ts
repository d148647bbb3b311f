import { setTimeout as delay } from 'node:timers/promises';
import type { Execution } from '../../core/execution/execution.ts';
import { answerStarter } from '../../core/messages/delivery.ts';
import { StoreUnavailable } from '../../core/ports.ts';
import { ok } from '../../core/result.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

/**
 * How long after a request came in its answer waits for the crew: Slack waits for three seconds, which the way there and back, and
 * a call for an open window, take their share of.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const ANSWER_WITHIN_MS = 2_200;
/** What comes after that has to be ready by then. */
const LATEST_MS = 2_550;
const LOOK_EVERY_MS = 40;
/** Usually this process asks the crew itself, and knows more than that. */
const RECENT_MS = 200;

/**
 * Begins a stored start, and waits until the crew has answered, as long as Slack waits for the answer to the request. How the
 * start went is then up to the caller to tell; as long as it is under way, the starter gets a notice later. Null if nothing is
 * known.
 */
export async function followStart(context: ListenerContext, ref: string): Promise<Execution | null> {
  const { store, wake, aside, log } = context;
  wake(ref);
  try {
    const found = await aside(outcomeOf(context, ref));
    if (!found || found.run.status === 'starting') return found;
    const changed = await store.change<never>(ref, (execution) => ok(answerStarter(execution)));
    if (changed.kind === 'absent') return null;
    return changed.kind === 'changed' ? changed.after : changed.execution;
  } catch (error) {
    // The start itself is stored, and its notice is due all the same.
    if (!(error instanceof StoreUnavailable)) throw error;
    log.warn({ ref, err: error }, 'could not learn how a start goes');
    return null;
  }
}

async function outcomeOf({ store, receivedAt }: ListenerContext, ref: string): Promise<Execution | null> {
  for (;;) {
    const execution = (await store.load(ref, { mostAgeMs: RECENT_MS }))?.execution ?? null;
    const isOver = performance.now() - receivedAt + LOOK_EVERY_MS > ANSWER_WITHIN_MS;
    if (execution?.run.status !== 'starting' || isOver) return execution;
    await delay(LOOK_EVERY_MS);
  }
}

/** How long the answer to a request may still take for something that is nice to have. */
export function patienceOf({ receivedAt }: Pick<ListenerContext, 'receivedAt'>): number {
  return Math.max(100, LATEST_MS - (performance.now() - receivedAt));
}

/** Whether the crew couldn't be reached so far, and is asked again. */
export function progressOf(execution: Execution | null): 'asking' | 'retrying' {
  const kickoff = execution?.kickoff;
  if (!kickoff || kickoff.status === 'settled') return 'asking';
  return kickoff.tries > (kickoff.status === 'sending' ? 1 : 0) ? 'retrying' : 'asking';
}
