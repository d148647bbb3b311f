import { tokenUsage } from '../dialects/dialect.ts';
import { currentTask, type FeedbackRequest, isSkipped, namesOfDue, type Run } from '../executions/run.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Delivery } from '../webhooks/delivery.ts';

/** A debugging report on an execution, without credentials: its runs and webhook deliveries. */
export function executionReport(runs: readonly Run[], deliveries: readonly Delivery[]): JsonObject {
  return { runs: runs.map(reportedRun), webhooks: deliveries.map(reportedDelivery) };
}

function reportedRun(run: Run): JsonObject {
  return {
    kickoff_id: run.id,
    execution_id: run.executionId,
    crew: run.crew,
    started_by: run.startedBy.type === 'user' ? run.startedBy.name : 'organisation',
    created_at: instant(run.createdAt),
    state: stateOf(run),
    inputs: run.inputs,
    tasks: run.plan.map(({ id, name, agent, role, goal, humanInput }) => ({
      ...{ task_id: id, name, agent, role, goal },
      human_input: humanInput,
    })),
    attempts: run.attempts.map(({ task, round, startedAt, finishedAt }) => ({
      task,
      round,
      started_at: instant(startedAt),
      finished_at: instant(finishedAt),
    })),
    token_usage: run.usage ? tokenUsage(run) : null,
    skipped: run.plan.filter(({ id }) => isSkipped(run, id)).map(({ name }) => name),
    outputs: run.finished.map(({ task, output }) => ({ task, output })),
    reviews: run.reviews.map(({ task, round, approved, text, at }) => ({
      task,
      round,
      approved,
      text,
      at: instant(at),
    })),
    feedback_requests: (run.requests ?? []).map(reportedRequest),
    webhooks: {
      human_input: run.addresses.humanInput?.url ?? null,
      task: run.addresses.task ?? null,
      step: run.addresses.step ?? null,
      crew: run.addresses.crew ?? null,
      stream: run.addresses.stream?.url ?? null,
    },
  };
}

function reportedRequest({ id, method, message, outcomes, createdAt, answer }: FeedbackRequest): JsonObject {
  const { feedback = '', outcome = null, via = '', source = null, at = 0 } = answer ?? {};
  const answered = answer ? { feedback, outcome, via, source, at: instant(at) } : null;
  return { id, method, message, outcomes, asked_at: instant(createdAt), answer: answered };
}

function stateOf(run: Run): JsonObject {
  switch (run.status) {
    case 'running':
      return { status: run.status, task: namesOfDue(run), round: run.round, since: instant(run.startedAt) };
    case 'waiting':
      return {
        status: run.status,
        task: currentTask(run).name,
        round: run.round,
        since: instant(run.waitingSinceAt),
        output: run.output,
      };
    case 'completed':
      return { status: run.status, ended_at: instant(run.endedAt), result: run.result };
    case 'failed':
      return { status: run.status, ended_at: instant(run.endedAt), error: run.error };
  }
}

function reportedDelivery(delivery: Delivery): JsonObject {
  return {
    event: delivery.kind,
    kickoff_id: delivery.runId,
    url: delivery.url,
    authentication: delivery.authentication?.strategy ?? null,
    bytes: Buffer.byteLength(delivery.body),
    status: delivery.status,
    due_at: instant(delivery.createdAt),
    next_attempt_at: delivery.status === 'pending' ? instant(delivery.nextAttemptAt) : null,
    attempts: delivery.attempts.map(({ at, durationMs, outcome }) => ({
      at: instant(at),
      duration_ms: durationMs,
      ...outcome,
    })),
  };
}

function instant(at: number): Json {
  return new Date(at).toISOString();
}
