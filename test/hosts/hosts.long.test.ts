import { describe, expect, it } from 'vitest';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { NO_FAULTS } from './figures.ts';
import { type Outcome, type Row, runHistory } from './history.ts';
import { needsHosts } from './network.ts';

const FAULTS_FOR_MS = 45_000;
const SETTLED_WITHIN_S = 10;

/** `HOSTS=all npm run test:long -- test/hosts` */
const SEEDS = process.env.HOSTS === 'all' ? [1, 2, 3] : [1];

const rowsOf = (topology: Row['topology'], minReplicas: number): Row[] =>
  SEEDS.map((seed) => ({ topology, minReplicas, seed }));

async function history(row: Row): Promise<Outcome> {
  const outcome = await runHistory(row, { forMs: FAULTS_FOR_MS });
  console.info(outcome.line);
  return outcome;
}

describe.concurrent('while one host after the other fails', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it.for([...rowsOf('Sentinel', 1)])(
    'nothing is lost or doubled where one of two replicas confirms each change, and ten seconds after the last healing all is settled (Sentinel, seed $seed)',
    async (row, context) => {
      await needsHosts(context);
      const { faults, report, secondsUntilSettled } = await history(row);
      expect(faults, report).toEqual(NO_FAULTS);
      expect(secondsUntilSettled ?? Number.POSITIVE_INFINITY, report).toBeLessThanOrEqual(SETTLED_WITHIN_S);
    },
  );

  it.for([...rowsOf('Sentinel', 2), ...rowsOf('Cluster', 1)])(
    'nothing is lost or doubled where all replicas confirm each change, and ten seconds after Redis is whole again all is settled ($topology, seed $seed)',
    async (row, context) => {
      await needsHosts(context);
      const { faults, report, secondsUntilSettled, secondsUntilWhole } = await history(row);
      expect(faults, report).toEqual(NO_FAULTS);
      const limit = secondsUntilWhole + SETTLED_WITHIN_S;
      expect(secondsUntilSettled ?? Number.POSITIVE_INFINITY, report).toBeLessThanOrEqual(limit);
    },
  );

  it.for([...rowsOf('Sentinel', 0), ...rowsOf('Cluster', 0)])(
    'a card says so where Redis has lost its decision, as no replica has to confirm it ($topology, seed $seed)',
    async (row, context) => {
      await needsHosts(context);
      const { faults, report } = await history(row);
      expect(faults.unsaid, report).toEqual([]);
    },
  );
});
