import type { Crew } from '../../../../../src/core/policy/crew.ts';
import type { RedisClient } from '../../../../../src/redis/call.ts';
import { readChain } from '../../../../../src/redis/ledger/chain.ts';
import type { Services } from '../../../../../src/slack/listening/context.ts';
import { type AnsweringSlack, startAnsweringSlack } from '../../../directory/answering-slack.ts';
import { CHANNEL, GUARDED } from './cast.ts';
import { createDispatching, type Dispatched } from './dispatching.ts';
import type { Keys } from './rows.ts';
import { type RunKind, storeRun, substanceOf } from './runs.ts';
import type { Sent } from './sent.ts';

/** A Slack that takes all that listeners may ask of it. */
export function startObligingSlack(): Promise<AnsweringSlack> {
  const opened = () => ({ view: { id: 'V1' } });
  return startAnsweringSlack({
    ...{
      'views.open': opened,
      'views.push': opened,
      'views.update': opened,
      'views.publish': opened,
      'chat.postEphemeral': () => ({}),
    },
    'conversations.info': () => ({ channel: { is_member: true, is_private: false } }),
  });
}

/** A run of some kind that requests are sent about. */
export async function prepareRun(redis: RedisClient, slack: AnsweringSlack, kind: RunKind) {
  const { store, outputs, send } = createDispatching(redis, slack);
  const ref = `run-${kind}`;
  await storeRun(store, ref, kind);
  const { hash } = await outputs.put(ref, 'A draft about tea.');
  const keys: Keys = { ref, hash };

  async function state() {
    const found = await store.load(ref);
    if (!found) throw new Error('the run is stored');
    const [entries, open] = await Promise.all([readChain(redis, ref), store.openIn(CHANNEL)]);
    return { run: substanceOf(found.execution), entries, runs: open.length };
  }

  let last: Awaited<ReturnType<typeof state>> | null = null;

  /** Sends a request, and tells what it left behind, and what came to be since the one before it. */
  async function outcomeOf(sent: Sent, change: { crew?: Crew; acks?: object[] } & Partial<Services> = {}) {
    const [before, calls] = [last ?? (await state()), slack.calls().length];
    const done: Dispatched = await send(sent.payload, { kind: sent.kind, crew: GUARDED, ...change });
    const after = await state();
    last = after;
    const entries = after.entries.slice(before.entries.length);
    return {
      ...done,
      before: before.run,
      after: after.run,
      newRuns: after.runs - before.runs,
      calls: slack.calls().slice(calls),
      refusals: done.refusedAttempts.length + done.refusedStarts.length,
      otherEntries: entries.length,
    };
  }

  return { keys, outcomeOf };
}
