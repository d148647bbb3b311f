import { Counter, Histogram, type Registry } from 'prom-client';
import type { ObservedCall } from '../crew/call.ts';
import type { ObservedSlackCall } from '../slack/api/clients.ts';
import type { ObserveRequest, RequestKind, RequestOutcome } from '../slack/receivers/request.ts';

export interface CallMeters {
  slackRequest: ObserveRequest;
  slackCall(call: ObservedSlackCall): void;
  crewCall(call: ObservedCall): void;
}

/** Slack shows people an error after three seconds. */
const ACK_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Requests from Slack, and calls to Slack and the crews. */
export function createCallMeters(registry: Registry): CallMeters {
  const registers = [registry];
  const ack = new Histogram({
    name: 'signoff_slack_ack_seconds',
    help: 'From the arrival of a request from Slack to our answer; Slack waits at most 3 seconds.',
    labelNames: ['kind'],
    buckets: ACK_SECONDS,
    registers,
  });
  const requests = new Counter({
    name: 'signoff_slack_requests_total',
    help: 'Requests from Slack by kind and how they were answered.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  startAtZero(requests);
  const slack = pair(registry, { who: 'slack', what: 'Slack', labels: ['method', 'outcome'] });
  const crews = pair(registry, { who: 'crew', what: 'crew services', labels: ['crew', 'method', 'outcome'] });
  return {
    slackRequest(kind) {
      const stopTimer = ack.startTimer({ kind });
      return (outcome) => {
        stopTimer();
        requests.inc({ kind, outcome });
      };
    },
    slackCall: ({ method, outcome, durationMs }) => slack({ method, outcome }, durationMs),
    crewCall: ({ crew, method, outcome, durationMs }) => crews({ crew, method, outcome }, durationMs),
  };
}

/** Prometheus doesn't see the first increase of a counter that didn't exist before, so no alert would fire. */
function startAtZero(requests: Counter<'kind' | 'outcome'>): void {
  for (const kind of ['command', 'block_actions', 'view_submission'] satisfies RequestKind[])
    for (const outcome of ['failed', 'late'] satisfies RequestOutcome[]) requests.inc({ kind, outcome }, 0);
}

/** Counts calls by their outcome, but times them by method alone, which keeps the histogram small. */
function pair<Label extends string>(
  registry: Registry,
  { who, what, labels }: { who: string; what: string; labels: (Label | 'method')[] },
): (values: Record<Label | 'method', string>, durationMs: number) => void {
  const calls = new Counter({
    name: `signoff_${who}_calls_total`,
    help: `Calls to ${what} by method and outcome.`,
    labelNames: labels,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: `signoff_${who}_call_seconds`,
    help: `How long ${what} took to answer.`,
    labelNames: ['method'],
    buckets: CALL_SECONDS,
    registers: [registry],
  });
  return (values, durationMs) => {
    calls.inc(values);
    seconds.observe({ method: values.method }, durationMs / 1000);
  };
}
