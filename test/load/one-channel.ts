import { buttonsIn } from '../support/slack-server.ts';
import { cardWaitsMs } from './card-waits.ts';
import { eventually, type LoadWorld, startLoadWorld } from './load-world.ts';

/** The outcome of many executions in one channel, at Slack's real rates. */
export interface OneChannel {
  executions: number;
  bots: number;
  /** Threads that show the end. */
  showTheEnd: number;
  posts: number;
  updates: number;
  /** Posts and updates that Slack rate-limited. */
  refused: number;
  tookS: number;
  /** From a crew's request to its card. */
  medianCardS: number;
  slowestCardS: number;
}

export async function oneChannel({ executions, bots = 1 }: { executions: number; bots?: number }): Promise<OneChannel> {
  const load = await startLoadWorld({ rateLimits: 'real', bots, dialect: 'observed' });
  try {
    const began = Date.now();
    await load.start(executions);
    // Slack allows about one message per second and channel, and each execution posts four or five.
    const withinMs = 60_000 + executions * 12_000;
    await approveAll(load, executions, withinMs);
    await load.completed(executions, withinMs);
    await eventually('cards that say so', 60_000, async () => {
      const now = buttonsIn(load.world.slack.messages(), 'Approve').length;
      return { done: now === 0, now };
    });
    const waits = await cardWaitsMs(load);
    const calls = (labels: string) => sumOf(load, 'signoff_slack_calls_total', labels);
    return {
      executions,
      bots,
      showTheEnd: load.world.slack.messages().filter(({ text }) => text.includes('Completed')).length,
      posts: await calls('method="chat.postMessage"'),
      updates: await calls('method="chat.update"'),
      refused:
        (await calls('method="chat.postMessage",outcome="rate-limited"')) +
        (await calls('method="chat.update",outcome="rate-limited"')),
      tookS: Math.round((Date.now() - began) / 1_000),
      medianCardS: Math.round((waits[Math.floor(waits.length / 2)] ?? 0) / 1_000),
      slowestCardS: Math.round((waits.at(-1) ?? 0) / 1_000),
    };
  } finally {
    await load.stop();
  }
}

/** Jon approves each card as soon as he sees it. */
async function approveAll(load: LoadWorld, executions: number, withinMs: number): Promise<void> {
  const decided = new Set<string>();
  await eventually(`${executions} decisions`, withinMs, async () => {
    for (const approval of await load.cards(0)) {
      if (decided.has(approval.value)) continue;
      decided.add(approval.value);
      const { status } = await load.approve(approval, load.bots[decided.size % load.bots.length]?.port);
      if (status !== 200) throw new Error(`a click was answered with ${status}`);
    }
    return { done: decided.size >= executions, now: decided.size };
  });
}

async function sumOf(load: LoadWorld, name: string, labels: string): Promise<number> {
  const each = await Promise.all(load.bots.map((_, bot) => load.metric(bot, name, labels)));
  return each.reduce((sum, count) => sum + count, 0);
}
