import { compared, type Figure, goalOf } from '../figures.ts';
import { openApprovals } from '../harness/approvals.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import { approvingClickBy, JON, MARIA } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { type Course, playCrew } from '../harness/crew-run.ts';
import { POLICED_CREWS, type PolicedCrew } from '../harness/policed-crews.ts';
import { openLoop } from '../harness/requests.ts';
import { clickAt } from '../harness/steady-clicks.ts';
import { median } from '../statistics.ts';

/** Longer than the bot waits before it updates the thread's first message. */
const QUIET_MS = 4_000;
const CLICKS_PER_SECOND = 50;

/** What it costs that a policy says who may decide, and that the ledger keeps everything. */
export async function policies(setup: Setup): Promise<Figure[]> {
  const counts = await policyCounts(setup);
  const votes = await withBot(setup, scriptsOfVote, { policies: POLICED_CREWS });
  return [
    ...counts,
    votes,
    ...(await withBot(setup, (world) => processorTimes(world, setup), { policies: POLICED_CREWS })),
  ];
}

/** The counts alone, of which there are budgets. */
export function policyCounts(setup: Setup): Promise<Figure[]> {
  return withBot(setup, async (world) => [...(await slackCallsOf(world)), await bytesOfEntry(world)], {
    policies: POLICED_CREWS,
  });
}

/** With enough executions that it hardly matters which changes fall together into one update. */
const RUNS = 10;
const COURSE: Course = { tasks: 1, stepsEach: 2, asking: [0], seconds: 1 };
let runs = 1_000;

/** Of one execution whose one approval somebody else than the starter decides. */
async function slackCallsOf(world: BotWorld): Promise<Figure[]> {
  await callsOfRun(world, 'default');
  const first = await callsOfRun(world, 'policy');
  const usual = await callsOfRun(world, 'default');
  const policed = await callsOfRun(world, 'policy');
  const more = policed.each - usual.each;
  const figure = (name: string, { each, note }: typeof usual): Figure => {
    return { name, value: each, unit: 'calls', better: 'less', note };
  };
  return [
    figure('an execution, default policy', usual),
    figure('an execution, policy', policed),
    {
      ...{ name: 'more for a policy', value: more, unit: 'calls', better: 'less', goal: goalOf(more, { atMost: 1 }) },
      note: `facts known; ${first.lookUps} more in all for the first ${RUNS}`,
    },
  ];
}

async function callsOfRun({ bot, stubs }: BotWorld, crew: PolicedCrew) {
  const ofCrew = await bot.withCrew(crew);
  await stubs.untilQuiet(QUIET_MS);
  await stubs.tell('forget');
  await Promise.all(Array.from({ length: RUNS }, () => playCrew(ofCrew, stubs, COURSE, runs++)));
  await stubs.untilQuiet(QUIET_MS);
  const calls = Object.entries((await stubs.counts()).calls);
  const sum = (of: typeof calls) => of.reduce((all, [, count]) => all + count, 0);
  return {
    each: sum(calls) / RUNS,
    lookUps: sum(calls.filter(([method]) => !method.startsWith('chat.') && !method.startsWith('views.'))),
    note: calls.map(([method, count]) => `${method} ${count / RUNS}`).join(', '),
  };
}

const LEDGER = /:ledger/;
const CHAINS = /:ledger:/;
const ENTRIES_A_RUN = 4;
const LEDGER_RUNS = 100;

/** Of runs with one decision: asked, decided, sent, confirmed. */
async function bytesOfEntry({ bot, stubs, meter }: BotWorld): Promise<Figure> {
  const ofCrew = await bot.withCrew('policy');
  const [bytes, entries] = [await meter.bytes(LEDGER), await meter.elements(CHAINS)];
  const cards = await openApprovals(ofCrew, stubs, LEDGER_RUNS);
  await clickAt(CLICKS_PER_SECOND, cards, { ...ofCrew, stubs });
  const made = (await meter.elements(CHAINS)) - entries;
  if (made !== LEDGER_RUNS * ENTRIES_A_RUN) throw new Error(`${LEDGER_RUNS} decisions made ${made} entries`);
  const value = ((await meter.bytes(LEDGER)) - bytes) / made;
  return { name: 'an entry of the ledger', value, unit: 'bytes', better: 'less', goal: goalOf(value, { atMost: 400 }) };
}

const VOTES = 100;

/** Of two votes that decide, with all that follows on the decision. */
async function scriptsOfVote({ bot, stubs, meter }: BotWorld): Promise<Figure> {
  const ofCrew = await bot.withCrew('quorum');
  const cards = await openApprovals(ofCrew, stubs, VOTES / 2);
  await stubs.untilQuiet(QUIET_MS);
  const before = await meter.counts();
  for (const by of [JON, MARIA]) {
    const posts = cards.map((card) => approvingClickBy(by, card));
    await openLoop(bot.port, posts, CLICKS_PER_SECOND);
    await stubs.untilQuiet(QUIET_MS);
  }
  const { resumed } = await stubs.counts();
  if (resumed !== cards.length) throw new Error(`${cards.length} pairs of votes made ${resumed} decisions`);
  const value = ((await meter.counts()).scripts - before.scripts) / VOTES;
  return { name: 'scripts a vote, quorum of 2', value, unit: 'scripts', better: 'less' };
}

const COMPARED = ['default', 'policy'] as const;
const WARM_UP = 300;
const DECISIONS = 200;
const BLOCKS_A_ROUND = 2;
const RATE = 100;

/** Of one bot with both crews, by turns. */
async function processorTimes({ bot, stubs }: BotWorld, { machine, rounds }: Setup): Promise<Figure[]> {
  const times: Record<(typeof COMPARED)[number], number[]> = { default: [], policy: [] };
  const measure = async (crew: (typeof COMPARED)[number], decisions: number) => {
    const cards = await openApprovals(await bot.withCrew(crew), stubs, decisions);
    await stubs.untilQuiet(QUIET_MS);
    const { processorMs, failed } = await clickAt(RATE, cards, { ...bot, stubs });
    if (failed > 0) throw new Error(`${failed} clicks under ${crew} were not acknowledged, delivered or shown`);
    return processorMs;
  };
  for (const crew of COMPARED) await measure(crew, WARM_UP);
  for (let block = 0; block < rounds * BLOCKS_A_ROUND; block++) {
    await machine.look();
    for (const crew of block % 2 === 0 ? COMPARED : COMPARED.toReversed())
      times[crew].push(await measure(crew, DECISIONS));
  }
  const figure = (crew: (typeof COMPARED)[number]): Figure => ({
    ...{ name: `processor time a decision, ${crew}`, value: median(times[crew]), unit: 'ms', better: 'less' },
    note: times[crew].map((ms) => ms.toFixed(2)).join(' '),
  });
  const usual = figure('default');
  return [usual, compared(figure('policy'), { name: 'default', value: usual.value }, { atMost: 1.25 })];
}
