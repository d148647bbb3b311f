import { expect, it } from 'vitest';
import { soak, summaryOf } from './soak.ts';

const SEED = 7;

/** A minute, and the time until everything has settled or stalled. */
const PATIENCE_MS = 300_000;

it('nothing is lost or sent twice during a minute of random faults', {
  timeout: PATIENCE_MS,
}, async () => {
  const phases = await soak({ seed: SEED, forMs: 60_000, say: console.info });
  console.info(`soak of a minute, seed ${SEED}: ${summaryOf(phases)}`);
  expect(phases.map(({ report }) => report).join('\n')).toBe('\n'.repeat(phases.length - 1));
});
