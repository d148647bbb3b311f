import { expect, it } from 'vitest';
import { soak, summaryOf } from './soak.ts';

const SEED = 7;

/** Half a minute, and the time until everything has settled or stalled. */
const PATIENCE_MS = 300_000;

it('nothing is lost or sent twice during half a minute of random faults', {
  timeout: PATIENCE_MS,
}, async () => {
  const phases = await soak({ seed: SEED, forMs: 30_000, say: console.info });
  console.info(`soak of half a minute, seed ${SEED}: ${summaryOf(phases)}`);
  expect(phases.map(({ report }) => report).join('\n')).toBe('\n'.repeat(phases.length - 1));
});
