import { type Bound, compared, type Figure } from '../figures.ts';
import { approvingClick } from '../harness/clicks.ts';
import { CONTENDERS, type Contender, type Setup, withServer } from '../harness/contenders.ts';
import { processorMs } from '../harness/processor-time.ts';
import { closedLoop, type Sent } from '../harness/requests.ts';
import { interleaved } from '../harness/rounds.ts';
import { median, percentile } from '../statistics.ts';

const LANES = 32;
const WARM_UP = 600;
const ONE_BY_ONE = 400;
const AT_ONCE = 2_000;
const QUIET_MS = 1_000;
/** What the bot may cost beside Bolt as its documentation starts it, which stores nothing. */
const GOALS = { speed: { atLeast: 0.6 }, processor: { atMost: 1.55 } };
const TIME = { unit: 'ms', better: 'less' } as const;

interface Acks {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the server, for one of many acks; it includes what the server does after them meanwhile. */
  processorMs: number;
  failed: number;
}

/** How fast clicks are acknowledged. What a server does after its acks goes on meanwhile, as it does in production. */
export async function acks(setup: Setup): Promise<Figure[]> {
  const rounds = await interleaved(setup, CONTENDERS, (contender) => measure(contender, setup));
  const of = (contender: Contender, pick: (result: Acks) => number) => median(rounds[contender].map(pick));
  const compare = (figure: Omit<Figure, 'value'>, bound: Bound | null, pick: (result: Acks) => number) =>
    CONTENDERS.map((contender) =>
      compared(
        { ...figure, name: `${figure.name}, ${contender}`, value: of(contender, pick) },
        { name: 'bare-bolt', value: of('bare-bolt', pick) },
        contender === 'signoff' && bound !== null ? bound : undefined,
      ),
    );
  const failed = Object.entries(rounds).flatMap(([contender, results]) => {
    const value = results.reduce((sum, result) => sum + result.failed, 0);
    return value === 0
      ? []
      : [{ name: `not acknowledged, ${contender}`, value, unit: 'clicks', better: 'less' as const }];
  });
  return [
    ...compare({ name: `${LANES} at once`, unit: 'acks/s', better: 'more' }, GOALS.speed, ({ perSecond }) => perSecond),
    ...compare({ ...TIME, name: 'processor time an ack' }, GOALS.processor, ({ processorMs: ms }) => ms),
    ...compare({ ...TIME, name: 'one by one, p50' }, null, ({ p50Ms }) => p50Ms),
    ...compare({ ...TIME, name: 'one by one, p99' }, null, ({ p99Ms }) => p99Ms),
    ...failed,
  ];
}

function measure(contender: Contender, setup: Setup): Promise<Acks> {
  return withServer(contender, { setup, work: 'ack' }, async ({ port, pid, stubs, cards }) => {
    const click = async (count: number, lanes: number) => {
      const made = await cards(count);
      await stubs.untilQuiet(QUIET_MS);
      const posts = made.map(approvingClick);
      const [began, before] = [performance.now(), processorMs(pid) ?? Number.NaN];
      const sent = await closedLoop(port, posts, lanes);
      const tookMs = (processorMs(pid) ?? Number.NaN) - before;
      return { sent, seconds: (performance.now() - began) / 1_000, processorMs: tookMs / sent.length };
    };
    await click(WARM_UP, LANES);
    const { sent: single } = await click(ONE_BY_ONE, 1);
    const { sent: many, seconds, processorMs: ofEach } = await click(AT_ONCE, LANES);
    const times = single.map(({ tookMs }) => tookMs);
    return {
      perSecond: many.length / seconds,
      p50Ms: percentile(times, 50),
      p99Ms: percentile(times, 99),
      processorMs: ofEach,
      failed: [...single, ...many].filter(isRefused).length,
    };
  });
}

const isRefused = ({ status }: Sent) => status !== 200;
