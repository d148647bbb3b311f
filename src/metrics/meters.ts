import { Counter, Histogram, type Registry } from 'prom-client';
import { isByPeople, roundsOf } from '../core/inbox/history.ts';
import type { ChangeSubscriber } from '../core/ports.ts';
import { type ExecutionEvent, eventsBetween } from '../core/state/events.ts';
import type { Execution, Run } from '../core/state/execution.ts';
import type { ResumeFailure, Verdict } from '../core/state/request.ts';

const WAIT_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];
const DECISION_SECONDS = [10, 30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 259_200];
const ROUNDS = [1, 2, 3, 4, 5, 8];

/** Returns a subscriber that counts what happens in the changes that this process stored. */
export function createEventMeters(registry: Registry, crews: readonly string[]): ChangeSubscriber {
  const meters = createMeters(registry);
  startAtZero(meters, crews);
  return {
    onStored(changes) {
      for (const { before, after, at } of changes)
        for (const event of eventsBetween(before, after, at)) count(meters, event, after);
    },
  };
}

type Meters = ReturnType<typeof createMeters>;

/** Decisions are counted by crew, never by person: a series per person would show for months when somebody worked. */
function createMeters(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    runs: counter('signoff_execution_changes_total', 'Executions that entered a status.', 'status'),
    asked: counter('signoff_approvals_total', 'Requests for human input.'),
    toCard: histogram(
      'signoff_webhook_to_card_seconds',
      'From a request for human input to its card in Slack.',
      WAIT_SECONDS,
    ),
    decided: counter(
      'signoff_decisions_total',
      'Decisions made, also those that are undone later, or that time makes.',
      'verdict',
    ),
    toResume: histogram(
      'signoff_decision_to_resume_seconds',
      'From a decision to the answer of the crew (accepted) or to a later event that proves it arrived (evidence).',
      WAIT_SECONDS,
      'proof',
    ),
    undelivered: counter(
      'signoff_decisions_undelivered_total',
      'Decisions that the crew refused, or that nothing confirmed in time: a person is asked to send again.',
      'reason',
    ),
    toDecision: histogram(
      'signoff_request_to_decision_seconds',
      "From a request for human input to the decision of a person, counted once it can't be undone any more.",
      DECISION_SECONDS,
      'crew',
      'verdict',
    ),
    rounds: histogram(
      'signoff_approval_rounds',
      'The rounds that an approval took since its task began or was last approved.',
      ROUNDS,
      'crew',
    ),
    expired: counter(
      'signoff_approvals_expired_total',
      'Requests for human input that nobody decided in time.',
      'crew',
    ),
    undecidable: counter(
      'signoff_undecidable_total',
      'Requests for human input for which too few people were left who can decide, counted when that was noticed.',
      'crew',
    ),
    retried: counter('signoff_retries_total', 'Retries.', 'what'),
  };
}

const VERDICTS = ['approve', 'reject', 'decline'] as const satisfies Verdict[];

/** Starts counters at 0: Prometheus doesn't see the first increase of a new counter, so no alert would fire. */
function startAtZero(meters: Meters, crews: readonly string[]): void {
  const { runs, decided, undelivered, retried, toDecision, rounds, expired, undecidable } = meters;
  for (const status of ['lost', 'not-confirmed', 'not-started', 'failed', 'completed'] satisfies Run['status'][])
    runs.inc({ status }, 0);
  for (const verdict of VERDICTS) decided.inc({ verdict }, 0);
  for (const reason of ['refused', 'not-confirmed'] satisfies ResumeFailure['kind'][]) undelivered.inc({ reason }, 0);
  for (const what of ['kickoff', 'resume', 'message'] as const) retried.inc({ what }, 0);
  for (const crew of crews) {
    for (const verdict of VERDICTS) toDecision.zero({ crew, verdict });
    rounds.zero({ crew });
    expired.inc({ crew }, 0);
    undecidable.inc({ crew }, 0);
  }
}

function count(meters: Meters, event: ExecutionEvent, execution: Execution): void {
  const { crew } = execution;
  switch (event.kind) {
    case 'run':
      meters.runs.inc({ status: event.status });
      return;
    case 'kickoff-sent':
      if (event.tries > 1) meters.retried.inc({ what: 'kickoff' });
      return;
    case 'asked':
      meters.asked.inc();
      return;
    case 'card-posted':
      meters.toCard.observe(event.afterMs / 1000);
      return;
    case 'undecidable':
      meters.undecidable.inc({ crew });
      return;
    case 'decided':
      meters.decided.inc({ verdict: event.request.state.decision.verdict });
      return;
    case 'final': {
      const { request, outcome } = event;
      const { outcome: verdict, decidedAt } = outcome;
      if (verdict === 'closed' || !isByPeople(outcome)) {
        meters.expired.inc({ crew });
        return;
      }
      meters.toDecision.observe({ crew, verdict }, (decidedAt - request.question.askedAt) / 1000);
      if (verdict === 'approve') meters.rounds.observe({ crew }, roundsOf(execution, request));
      return;
    }
    case 'sent':
      if (event.request.state.attempts.length > 1) meters.retried.inc({ what: 'resume' });
      return;
    case 'delivered': {
      const { proof, deliveredAt, decision } = event.request.state;
      meters.toResume.observe({ proof }, (deliveredAt - decision.at) / 1000);
      return;
    }
    case 'undelivered':
      meters.undelivered.inc({ reason: event.request.state.failure.kind });
      return;
    case 'message-retried':
      meters.retried.inc({ what: 'message' });
      return;
    case 'confirmed':
      return;
  }
}
