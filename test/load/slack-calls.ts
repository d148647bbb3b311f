import { setTimeout as pause } from 'node:timers/promises';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { cardWaitsMs } from './card-waits.ts';
import { eventually, type LoadWorld, startLoadWorld } from './load-world.ts';

/** What a channel's executions cost in calls to Slack, at its real rates. */
interface SlackCalls {
  posts: number;
  updates: number;
  /** Those that Slack rate-limited. */
  refused: number;
  /** From a crew's request to its card. */
  slowestCardMs: number;
}

const STEPS_EACH = { steps: 10, stepDelayMs: 900 };

/** Fifty agent steps in 45 seconds; two of the five tasks ask for human input. */
const FIVE_TASKS: Script = [
  { name: 'research', agent: 'Researcher', output: 'Three sources were read.', ...STEPS_EACH },
  { name: 'outline', agent: 'Writer', output: 'An outline.', humanInput: true, ...STEPS_EACH },
  { name: 'check', agent: 'Editor', output: 'The outline holds.', ...STEPS_EACH },
  { name: 'draft', agent: 'Writer', output: 'A draft.', humanInput: true, ...STEPS_EACH },
  { name: 'publish', agent: 'Publisher', output: 'Published.', ...STEPS_EACH },
];

const APPROVALS_EACH = 2;
const WITHIN_MS = 120_000;

/** Jon approves each card as soon as he sees it. Counts until every thread and every card shows the end. */
export async function slackCalls({ executions }: { executions: number }): Promise<SlackCalls> {
  const load = await startLoadWorld({ rateLimits: 'real', dialect: 'observed', tasks: FIVE_TASKS });
  try {
    await load.start(executions);
    await approveAll(load, executions * APPROVALS_EACH);
    await load.completed(executions, WITHIN_MS);
    await eventually('cards and endings that say so', WITHIN_MS, async () => {
      const texts = load.world.slack.messages().map(({ text }) => text);
      const now = texts.filter((text) => text.includes('Sent to the crew.') || text.includes('finished in')).length;
      return { done: now >= executions * (APPROVALS_EACH + 1), now };
    });
    const made = load.world.slack.calls().map(({ name }) => name);
    const count = (method: string) => made.filter((name) => name === method).length;
    return {
      posts: count('chat.postMessage'),
      updates: count('chat.update'),
      refused: await load.metric(0, 'signoff_slack_calls_total', 'outcome="rate-limited"'),
      slowestCardMs: Math.max(...(await cardWaitsMs(load))),
    };
  } finally {
    await load.stop();
  }
}

async function approveAll({ cards, approve }: LoadWorld, wanted: number): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  const seen = new Set<string>();
  const decisions: Promise<unknown>[] = [];
  while (seen.size < wanted && performance.now() < deadline) {
    for (const card of await cards(0)) {
      if (seen.has(card.value)) continue;
      seen.add(card.value);
      decisions.push(approve(card));
    }
    await pause(50);
  }
  await Promise.all(decisions);
}
