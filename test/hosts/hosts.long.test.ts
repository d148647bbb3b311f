import { describe, expect, it } from 'vitest';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { readDocumented } from './documented.ts';
import { NO_FAULTS } from './figures.ts';
import { type Outcome, PLAYS_ALL, patienceMs, type Row, runHistory } from './history.ts';
import { needsHosts } from './network.ts';

const SEEDS = PLAYS_ALL ? [1, 2, 3] : [1];
const FAULTS_FOR_MS = PLAYS_ALL ? 45_000 : 25_000;
const SETTLED_WITHIN_S = patienceMs(10_000) / 1_000;

const DOCUMENTED = readDocumented();
const REPLICAS: Record<Row['topology'], number> = { Sentinel: 2, Cluster: 1 };

const rowsWith = (mayLose: boolean): Row[] =>
  DOCUMENTED.filter((row) => row.mayLose === mayLose).flatMap(({ topology, minReplicas }) =>
    SEEDS.map((seed) => ({ topology, minReplicas, seed })),
  );

async function history(row: Row): Promise<Outcome> {
  const outcome = await runHistory(row, { forMs: FAULTS_FOR_MS });
  console.info(outcome.line);
  return outcome;
}

describe.concurrent('while one host after the other fails', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it.for(rowsWith(false))(
    'nothing is lost or doubled, and ten seconds after Redis can confirm changes again all is settled ($topology, N = $minReplicas, seed $seed)',
    async (row, context) => {
      await needsHosts(context);
      const { faults, report, secondsUntilSettled, secondsUntilWhole } = await history(row);
      expect(faults, report).toEqual(NO_FAULTS);
      // A failover restores nothing where all replicas have to confirm.
      const confirmsAfterS = row.minReplicas === REPLICAS[row.topology] ? secondsUntilWhole : 0;
      expect(secondsUntilSettled ?? Number.POSITIVE_INFINITY, report).toBeLessThanOrEqual(
        confirmsAfterS + SETTLED_WITHIN_S,
      );
    },
  );

  it.for(rowsWith(true))(
    'a card says so where Redis has lost its decision, as no replica has to confirm it ($topology, seed $seed)',
    async (row, context) => {
      await needsHosts(context);
      const { faults, report } = await history(row);
      expect(faults.unsaid, report).toEqual([]);
    },
  );
});
