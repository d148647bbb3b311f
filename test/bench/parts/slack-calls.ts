import { type Figure, goalOf } from '../figures.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import type { Setup } from '../harness/contenders.ts';
import { type Course, playCrew } from '../harness/crew-run.ts';
import { PRODUCTION_BUILD } from '../programs.ts';

const COURSE: Course = { tasks: 5, stepsEach: 10, asking: [1, 3], seconds: 45 };
/** Longer than any update waits for its turn. */
const QUIET_MS = 8_000;
const MOST_CARD_MS = 1_500;
const STATUS = 'assistant.threads.setStatus';

/** The posts and updates that an execution costs under its real rates, alone and beside four others in the channel. */
export async function slackCalls(setup: Setup): Promise<Figure[]> {
  const one = await slackCallsOf(1, setup);
  return [...one, ...(await slackCallsOf(5, setup))];
}

/** The same for this many executions at once, in one channel. */
export function slackCallsOf(executions: 1 | 5, setup: Setup): Promise<Figure[]> {
  return withBot(setup, (world) => measure(world, executions), { program: PRODUCTION_BUILD });
}

async function measure({ bot, stubs }: BotWorld, executions: 1 | 5): Promise<Figure[]> {
  await stubs.untilQuiet(1_000);
  await stubs.tell('forget');
  await stubs.tell('limit');
  const playing = Array.from({ length: executions }, (_, i) => playCrew(bot, stubs, COURSE, i));
  const runs = await Promise.all(playing);
  await stubs.untilQuiet(QUIET_MS);
  const { calls, refused } = await stubs.counts();
  // Slack counts the status of threads by itself.
  const { [STATUS]: statuses = 0, ...others } = calls;
  const value = (others['chat.postMessage'] ?? 0) + (others['chat.update'] ?? 0);
  const slowestMs = Math.max(...runs.flatMap(({ cardsMs }) => cardsMs));
  const of = executions === 1 ? 'one execution' : `${executions} executions at once`;
  const note = Object.entries(others).map(([method, each]) => `${method} ${each}`);
  const atMost = executions === 1 ? 16 : 60;
  return [
    {
      name: of,
      value,
      unit: 'posts and updates',
      better: 'less',
      goal: goalOf(value, { atMost }),
      note: note.join(', '),
    },
    { name: `${of}, status of threads`, value: statuses, unit: 'calls', better: 'less' },
    { name: `${of}, refused`, value: refused, unit: 'calls', better: 'less' },
    {
      ...{ name: `${of}, slowest card`, value: slowestMs, unit: 'ms', better: 'less' },
      goal: goalOf(slowestMs, { atMost: MOST_CARD_MS }),
    },
  ];
}
