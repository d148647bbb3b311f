import { Counter, Histogram, type Registry } from 'prom-client';
import type { ResumeFailure, Verdict } from '../core/approval/approval.ts';
import type { Run } from '../core/execution/execution.ts';
import { createDecisionMeters } from './decision-meters.ts';
import { type ExecutionEvent, eventsOf } from './execution-events.ts';
import type { ObserveChange } from './observe-store.ts';

const WAIT_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Counts the execution events in the changes that this process stored. */
export function createEventMeters(registry: Registry, crews: readonly string[]): ObserveChange {
  const meters = createMeters(registry, crews);
  startAtZero(meters);
  return (before, after, now) => {
    for (const event of eventsOf(before, after, now)) count(meters, event);
  };
}

type Meters = ReturnType<typeof createMeters>;

function createMeters(registry: Registry, crews: readonly string[]) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets: WAIT_SECONDS, registers });
  return {
    runs: counter('signoff_execution_changes_total', 'Executions that entered a status.', 'status'),
    asked: counter('signoff_approvals_total', 'Requests for human input.'),
    toCard: histogram('signoff_webhook_to_card_seconds', 'From a request for human input to its card in Slack.'),
    decided: counter(
      'signoff_decisions_total',
      'Decisions made, also those that are undone later, or that time makes.',
      'verdict',
    ),
    toResume: histogram(
      'signoff_decision_to_resume_seconds',
      'From a decision to the answer of the crew (accepted) or to a later event that proves it arrived (evidence).',
      'proof',
    ),
    undelivered: counter(
      'signoff_decisions_undelivered_total',
      'Decisions that the crew refused, or that nothing confirmed in time: a person is asked to send again.',
      'reason',
    ),
    decisions: createDecisionMeters(registry, crews),
    retried: counter('signoff_retries_total', 'Retries.', 'what'),
  };
}

/** Prometheus doesn't see the first increase of a counter that didn't exist before, so no alert would fire. */
function startAtZero({ runs, decided, undelivered, retried }: Meters): void {
  for (const status of ['lost', 'unconfirmed', 'not-started', 'failed', 'completed'] satisfies Run['status'][])
    runs.inc({ status }, 0);
  for (const verdict of ['approve', 'reject'] satisfies Verdict[]) decided.inc({ verdict }, 0);
  for (const reason of ['refused', 'unconfirmed'] satisfies ResumeFailure['kind'][]) undelivered.inc({ reason }, 0);
  for (const what of ['kickoff', 'resume', 'message'] as const) retried.inc({ what }, 0);
}

function count(meters: Meters, event: ExecutionEvent): void {
  switch (event.kind) {
    case 'run':
      meters.runs.inc({ status: event.status });
      return;
    case 'asked':
      meters.asked.inc();
      return;
    case 'card-posted':
      meters.toCard.observe(event.afterMs / 1000);
      return;
    case 'decided':
      meters.decided.inc({ verdict: event.verdict });
      return;
    case 'final':
      meters.decisions.decided(event.request, event.verdict);
      return;
    case 'expired':
      meters.decisions.expired(event.crew);
      return;
    case 'delivered':
      meters.toResume.observe({ proof: event.proof }, event.afterMs / 1000);
      return;
    case 'undelivered':
      meters.undelivered.inc({ reason: event.reason });
      return;
    case 'retried':
      meters.retried.inc({ what: event.what });
      return;
  }
}
