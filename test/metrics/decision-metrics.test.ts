import { expect, it } from 'vitest';
import { endRun } from '../../src/core/execution/run.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { claimResume } from '../../src/core/request/resume.ts';
import { undo } from '../../src/core/request/retract.ts';
import { expire } from '../../src/core/request/timers.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import type { Result } from '../../src/core/values/result.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { PROCESS } from '../support/claims.ts';
import { execution, request } from '../support/executions.ts';
import { JON, MARIA, MEMBERS, output, RULES, START, textOf } from '../support/requests.ts';

const MINUTE_MS = 60_000;
const policy = { ...RULES.policy, undoMs: 10_000, expireAfterMs: 60 * MINUTE_MS };
const rules = { ...RULES, policy };

/** A run whose changes are measured, each at a minute of its own. */
function measuredRun() {
  const metrics = createMetrics({
    ...{ version: '1', crews: ['editorial'], counts: () => Promise.reject(new Error('no Redis')) },
    openRequests: async () => [{ crew: 'editorial' }, { crew: 'former' }],
    workerLoad: () => ({ executions: 0, waitingForTurn: 0, concurrency: 16, activeCount: 0, pendingCount: 0 }),
    tokenWorks: () => true,
    sinkLag: async () => null,
  });
  let now = START;
  let run = execution();
  const change = (make: (at: number) => Execution | Result<Execution, unknown>, minutes = 1) => {
    now += minutes * MINUTE_MS;
    const made = make(now);
    const after = 'ref' in made ? made : made.ok ? made.value : run;
    metrics.onStored([{ before: run, after, at: now }]);
    run = after;
  };
  const newest = () => `${run.requests.length}`;
  const by = (who: typeof MARIA) => ({
    ...{ by: who, policy, facts: MEMBERS },
    ...textOf(run, newest()),
  });
  const verdict = (choice: Parameters<typeof decide>[2]['choice'], who = MARIA) =>
    change((at) => decide(run, newest(), { choice, ...by(who) }, at));
  return {
    ask: (taskId: string) =>
      change((at) => ask(run, request({ taskId, output: output(`${at}`), hop: run.hop }), at, rules)),
    approve: (who = MARIA) => verdict({ verdict: 'approve', feedback: null, text: 'Yes' }, who),
    reject: () => verdict({ verdict: 'reject', feedback: 'Shorter' }, JON),
    undo: () => change((at) => undo(run, newest(), by(MARIA), at), 0.1),
    send: () => change((at) => claimResume(run, newest(), PROCESS, at)),
    expire: () => change((at) => expire(run, newest(), rules, at), 70),
    end: () => change((at) => endRun(run, { status: 'failed', error: '', endedAt: at }, at)),
    async samples() {
      const lines = (await metrics.text()).split('\n').filter((line) => !line.startsWith('#'));
      const all = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1)]));
      return (name: string) => Number(all.get(`signoff_${name}`));
    },
  };
}

it('a decision counts once it can’t be undone any more, with its time and its rounds', async () => {
  const run = measuredRun();
  run.ask('draft');
  run.reject();
  run.send();
  run.ask('draft');
  run.approve();
  run.undo();
  run.approve(JON);
  run.send();
  run.ask('image');
  run.approve();
  run.send();
  run.ask('video');
  run.expire();
  run.ask('teaser');
  run.approve();
  // It ends while the decision could still be undone.
  run.end();

  const sample = await run.samples();
  const approvals = 'crew="editorial",verdict="approve"';
  expect(sample(`request_to_decision_seconds_count{${approvals}}`)).toBe(3);
  expect(sample('request_to_decision_seconds_count{crew="editorial",verdict="reject"}')).toBe(1);
  expect(sample('approvals_expired_total{crew="editorial"}')).toBe(1);
  expect(sample('approval_rounds_bucket{le="1",crew="editorial"}')).toBe(2);
  expect(sample('approval_rounds_sum{crew="editorial"}')).toBe(4);
  expect(sample('approval_rounds_count{crew="editorial"}')).toBe(3);
  // Two were approved after a minute, and the one that was undone first after 2.1.
  expect(sample(`request_to_decision_seconds_bucket{le="60",${approvals}}`)).toBe(2);
  expect(sample(`request_to_decision_seconds_sum{${approvals}}`)).toBeCloseTo(60 + 60 + 126);
});

it('requests that wait are counted for each crew, also for one that is no longer configured', async () => {
  const sample = await measuredRun().samples();
  expect(sample('crew_open_approvals{crew="editorial"}')).toBe(1);
  expect(sample('crew_open_approvals{crew="former"}')).toBe(1);
});
