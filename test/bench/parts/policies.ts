import { type Figure, goalOf } from '../figures.ts';
import { openApprovals } from '../harness/approvals.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import { approvingClickBy, JON, MARIA } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { type Course, playCrew } from '../harness/crew-run.ts';
import { POLICED_CREWS, type PolicedCrew } from '../harness/policed-crews.ts';
import { CHAINS, LEDGER, UNSEALED } from '../harness/redis-counts.ts';
import { openLoop } from '../harness/requests.ts';
import { clickAt } from '../harness/steady-clicks.ts';
import { processorTimes } from './policies-processor.ts';

const WITH_POLICIES = { policies: POLICED_CREWS };
/** Longer than the bot waits before it updates the thread's first message. */
const QUIET_MS = 4_000;
const CLICKS_PER_SECOND = 50;

/** What it costs that a policy says who may decide, and that the ledger keeps everything. */
export async function policies(setup: Setup): Promise<Figure[]> {
  const counts = await policyCounts(setup);
  const sealed = await withBot(setup, bytesOfSealedEntry, WITH_POLICIES);
  const votes = await withBot(setup, scriptsOfVote, WITH_POLICIES);
  const times = await withBot(setup, (world) => processorTimes(world, setup), WITH_POLICIES);
  return [...counts, sealed, votes, ...times];
}

/** The counts alone, of which there are budgets. Both bots run at the same time, so that what delays one delays the other. */
export async function policyCounts(setup: Setup): Promise<Figure[]> {
  const [usual, [policed, entry]] = await Promise.all([
    withBot(setup, (world) => callsUnder('default', world), WITH_POLICIES),
    withBot(
      setup,
      async (world) => [await callsUnder('policy', world), await bytesOfEntry(world)] as const,
      WITH_POLICIES,
    ),
  ]);
  return [...callFigures(usual, policed), entry];
}

/** With enough executions that it hardly matters which changes fall together into one update. */
const RUNS = 20;
const COURSE: Course = { tasks: 1, stepsEach: 2, asking: [0], seconds: 1 };
let runs = 1_000;

/** What executions ask of Slack: all of the first ones together, and one of those after them. */
interface Calls {
  first: number;
  later: number;
  note: string;
}

/** Each has one approval, which somebody else than the starter decides. */
async function callsUnder(crew: PolicedCrew, { bot, stubs }: BotWorld): Promise<Calls> {
  const ofCrew = await bot.withCrew(crew);
  const played = async () => {
    await stubs.untilQuiet(QUIET_MS);
    await stubs.tell('forget');
    await Promise.all(Array.from({ length: RUNS }, () => playCrew(ofCrew, stubs, COURSE, runs++)));
    await stubs.untilQuiet(QUIET_MS);
    return Object.entries((await stubs.counts()).calls);
  };
  const sum = (calls: readonly [string, number][]) => calls.reduce((all, [, count]) => all + count, 0);
  const [first, later] = [await played(), await played()];
  const isLookUp = ([method]: [string, number]) => /^user/.test(method);
  return {
    first: sum(first.filter(isLookUp)),
    later: sum(later) / RUNS,
    note: later.map(([method, count]) => `${method} ${count / RUNS}`).join(', '),
  };
}

function callFigures(usual: Calls, policed: Calls): Figure[] {
  const figure = (name: string, value: number, note: string): Figure => {
    return { name, value, unit: 'calls', better: 'less', note };
  };
  const more = policed.later - usual.later;
  const first = `once the facts are known: they took ${policed.first - usual.first} more`;
  return [
    figure('an execution, default policy', usual.later, usual.note),
    figure('an execution, policy', policed.later, policed.note),
    { ...figure('more for a policy', more, first), goal: goalOf(more, { atMost: 1 }) },
  ];
}

const ENTRIES_A_RUN = 4;
const LEDGER_RUNS = 100;

/** Before it is sealed, when it takes most. */
async function bytesOfEntry(world: BotWorld): Promise<Figure> {
  const [before, entries] = [await world.meter.bytes(LEDGER), await makeEntries(world)];
  return entryFigure('an entry of the ledger', ((await world.meter.bytes(LEDGER)) - before) / entries);
}

async function bytesOfSealedEntry(world: BotWorld): Promise<Figure> {
  const [before, entries] = [await world.meter.bytes(LEDGER), await makeEntries(world)];
  await world.meter.untilGone(UNSEALED);
  return entryFigure('an entry of the ledger, sealed', ((await world.meter.bytes(LEDGER)) - before) / entries);
}

function entryFigure(name: string, value: number): Figure {
  return { name, value, unit: 'bytes', better: 'less', goal: goalOf(value, { atMost: 800 }) };
}

/** By runs with one decision: asked, decided, sent, confirmed. @returns how many there are */
async function makeEntries({ bot, stubs, meter }: BotWorld): Promise<number> {
  const before = await meter.elements(CHAINS);
  const cards = await openApprovals(await bot.withCrew('policy'), stubs, LEDGER_RUNS);
  await clickAt(CLICKS_PER_SECOND, cards, { ...bot, stubs });
  const made = (await meter.elements(CHAINS)) - before;
  if (made !== LEDGER_RUNS * ENTRIES_A_RUN) throw new Error(`${LEDGER_RUNS} decisions made ${made} entries`);
  return made;
}

const VOTES = 100;

/** Of two votes that decide, with all that follows on the decision. */
async function scriptsOfVote({ bot, stubs, meter }: BotWorld): Promise<Figure> {
  const cards = await openApprovals(await bot.withCrew('quorum'), stubs, VOTES / 2);
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
