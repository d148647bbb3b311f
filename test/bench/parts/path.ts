import { compared, type Figure } from '../figures.ts';
import { approvingClick } from '../harness/clicks.ts';
import { type Contender, type Setup, withServer } from '../harness/contenders.ts';
import { openLoop } from '../harness/requests.ts';
import { interleaved } from '../harness/rounds.ts';
import { clickAt, type SteadyClicks } from '../harness/steady-clicks.ts';
import { median, percentile } from '../statistics.ts';

/** Only those that do the whole work. */
const WORKING: readonly Contender[] = ['signoff', 'bare-bolt', 'lean-bolt'];
const WARM_UP = 300;
const USUAL_RATE = 100;
const RATES = [USUAL_RATE, 200] as const;
/** How often the time and cost of Bolt as its documentation starts it, which stores nothing. Delays go by rate and percentile. */
const GOALS = { delay: { 100: { 50: 2.5, 99: 3 }, 200: { 50: null, 99: 3 } }, processor: 2 };
const SECONDS = 5;
/** Longer than the bot waits before it updates the thread's first message. */
const QUIET_MS = 4_000;

/** The way of a click to the crew, at a steady rate that doesn't wait for answers, and what it costs the server. */
export async function path(setup: Setup): Promise<Figure[]> {
  const rounds = await interleaved(setup, WORKING, (contender) => measure(contender, setup));
  const of = (contender: Contender, pick: (results: SteadyClicks[]) => number) => median(rounds[contender].map(pick));
  const compare = (name: string, atMost: number | null, pick: (results: SteadyClicks[]) => number) =>
    WORKING.map((contender): Figure => {
      const figure = { name: `${name}, ${contender}`, value: of(contender, pick), unit: 'ms', better: 'less' as const };
      const isGoal = contender === 'signoff' && atMost !== null;
      return compared(figure, { name: 'bare-bolt', value: of('bare-bolt', pick) }, isGoal ? { atMost } : undefined);
    });
  const arrival = (rate: (typeof RATES)[number], percent: 50 | 99) =>
    compare(`click to crew at ${rate}/s, p${percent}`, GOALS.delay[rate][percent], (results) =>
      percentile(at(rate, results)?.arrivalsMs ?? [], percent),
    );
  const processor = compare(
    `processor time a click at ${USUAL_RATE}/s`,
    GOALS.processor,
    (results) => at(USUAL_RATE, results)?.processorMs ?? Number.NaN,
  );
  return [
    ...RATES.flatMap((rate) => [...arrival(rate, 50), ...arrival(rate, 99)]),
    ...processor,
    ...troubles(WORKING.flatMap((contender) => rounds[contender].flat().map((each) => ({ contender, ...each })))),
  ];
}

const at = (rate: number, results: readonly SteadyClicks[]) => results.find((each) => each.rate === rate);

/** What makes the other figures doubtful; usually nothing. */
function troubles(results: readonly (SteadyClicks & { contender: Contender })[]): Figure[] {
  const failed = results.filter((each) => each.failed > 0);
  const late = results.filter(({ lateMs }) => lateMs > 20);
  return [
    ...failed.map(({ contender, rate, failed: value }) => ({
      ...{
        name: `not acknowledged, delivered or shown at ${rate}/s, ${contender}`,
        value,
        unit: 'clicks',
        better: 'less' as const,
      },
    })),
    ...late.map(({ contender, rate, lateMs }) => ({
      ...{ name: `the driver was late at ${rate}/s, ${contender}`, value: lateMs, unit: 'ms', better: 'less' as const },
    })),
  ];
}

function measure(contender: Contender, setup: Setup): Promise<SteadyClicks[]> {
  return withServer(contender, { setup, work: 'all' }, async (server) => {
    const { stubs, port, cards } = server;
    const first = await cards(WARM_UP);
    await stubs.untilQuiet(QUIET_MS);
    await openLoop(port, first.map(approvingClick), RATES[0]);
    const results: SteadyClicks[] = [];
    for (const rate of RATES) {
      const made = await cards(rate * SECONDS);
      await stubs.untilQuiet(QUIET_MS);
      results.push(await clickAt(rate, made, server));
    }
    return results;
  });
}
