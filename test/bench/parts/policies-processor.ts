import { compared, type Figure } from '../figures.ts';
import { openApprovals } from '../harness/approvals.ts';
import type { BotWorld } from '../harness/bot-world.ts';
import type { Setup } from '../harness/contenders.ts';
import { clickAt } from '../harness/steady-clicks.ts';
import { median } from '../statistics.ts';

const COMPARED = ['default', 'policy', 'condition'] as const;
type Compared = (typeof COMPARED)[number];

const WARM_UP = 300;
const DECISIONS = 200;
/** Decisions of all, close to each other, and the other way round each time. */
const PAIRS_A_ROUND = 3;
const RATE = 100;
const QUIET_MS = 4_000;

/** Of one bot that has crews without a policy, with one, and with one that depends on the request. */
export async function processorTimes({ bot, stubs }: BotWorld, { machine, rounds }: Setup): Promise<Figure[]> {
  const times: Record<Compared, number[]> = { default: [], policy: [], condition: [] };
  const measure = async (crew: Compared, decisions: number) => {
    const cards = await openApprovals(await bot.withCrew(crew), stubs, decisions);
    await stubs.untilQuiet(QUIET_MS);
    const { processorMs, failed } = await clickAt(RATE, cards, { ...bot, stubs });
    if (failed > 0) throw new Error(`${failed} clicks under ${crew} were not acknowledged, delivered or shown`);
    return processorMs;
  };
  for (const crew of COMPARED) await measure(crew, WARM_UP);
  for (let pair = 0; pair < rounds * PAIRS_A_ROUND; pair++) {
    await machine.look();
    for (const crew of pair % 2 === 0 ? COMPARED : COMPARED.toReversed())
      times[crew].push(await measure(crew, DECISIONS));
  }
  const figure = (crew: Compared): Figure => ({
    ...{ name: `processor time a decision, ${crew}`, value: median(times[crew]), unit: 'ms', better: 'less' },
    note: times[crew].map((ms) => ms.toFixed(1)).join(' '),
  });
  const [usual, policed] = [figure('default'), figure('policy')];
  return [
    usual,
    compared(policed, { name: 'default', value: usual.value }, { atMost: 1.25 }),
    compared(figure('condition'), { name: 'policy', value: policed.value }, { atMost: 1.05 }),
  ];
}
