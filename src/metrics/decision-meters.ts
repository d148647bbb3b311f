import { Counter, Histogram, type Registry } from 'prom-client';
import type { Verdict } from '../core/approval/approval.ts';
import type { DecidedRequest } from '../core/history.ts';

interface DecisionMeters {
  decided(request: DecidedRequest, verdict: Verdict): void;
  expired(crew: string): void;
}

/** People take from seconds to days. */
const DECISION_SECONDS = [10, 30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 259_200];
const ROUNDS = [1, 2, 3, 4, 5, 8];

/**
 * What `/kickoff stats` shows, but not who decides: each person would be a series of their own, and show for as long as the
 * metrics are kept when they worked.
 */
export function createDecisionMeters(registry: Registry, crews: readonly string[]): DecisionMeters {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'signoff_request_to_decision_seconds',
    help: "From a request for human input to the decision of a person, counted once it can't be undone any more.",
    labelNames: ['crew', 'verdict'],
    buckets: DECISION_SECONDS,
    registers,
  });
  const rounds = new Histogram({
    name: 'signoff_approval_rounds',
    help: 'The rounds that an approval took since its task began or was last approved.',
    labelNames: ['crew'],
    buckets: ROUNDS,
    registers,
  });
  const expired = new Counter({
    name: 'signoff_approvals_expired_total',
    help: 'Requests for human input that nobody decided in time.',
    labelNames: ['crew'],
    registers,
  });
  // Prometheus doesn't see the first increase of what didn't exist before.
  for (const crew of crews) {
    for (const verdict of ['approve', 'reject'] satisfies Verdict[]) seconds.zero({ crew, verdict });
    rounds.zero({ crew });
    expired.inc({ crew }, 0);
  }
  return {
    decided({ crew, askedAt, decidedAt, rounds: taken }, verdict) {
      seconds.observe({ crew, verdict }, (decidedAt - askedAt) / 1000);
      if (verdict === 'approve') rounds.observe({ crew }, taken);
    },
    expired: (crew) => expired.inc({ crew }),
  };
}
