import { randomUUID } from 'node:crypto';
import { type AddressedEvent, type FinishedTask, namesOfDue, progressOf, type Run } from '../executions/run.ts';
import { type Answer, answerJson, messageOf, type Problem, statusOf } from '../http/answer.ts';
import { asText, isObject, type Json, type JsonObject } from '../json.ts';
import { type Dialect, tokenUsage } from './dialect.ts';
import { parseObservedKickoff, parseObservedResume } from './parse-request.ts';

/** How deployed services behave where the specification is silent or says otherwise. */
export const observedDialect: Dialect = {
  name: 'observed',
  resumes: 'new-run',
  hasTellingIds: false,
  deliveryAttempts: 1,
  answerLimitMs: 10_000,
  parseKickoff: parseObservedKickoff,
  parseResume: parseObservedResume,
  // Nothing is carried over: without a new human-input address the next pause goes unannounced.
  addressesAfterResume: (_before, given) => given,
  status: (run) => answerJson(200, statusBody(run)),
  // A 200 proves nothing: a resume of an unknown execution gets a new id too.
  resumed: (run) => answerJson(200, { kickoff_id: run?.id ?? randomUUID() }),
  problem: problemAnswer,
  payload,
};

function problemAnswer(problem: Problem): Answer {
  if (problem.kind === 'fault') return { status: 500, body: { text: 'Internal Server Error' } };
  if (problem.kind !== 'missing-fields') return answerJson(statusOf(problem), { detail: messageOf(problem) });
  const detail = problem.names.map((name) => ({
    type: 'missing',
    loc: ['body', ...name.split('.')],
    msg: 'Field required',
  }));
  return answerJson(422, { detail });
}

const NOT_FOUND = { state: 'NOT FOUND', status: 'Execution not found', result: null, result_json: null };

export function statusBody(run: Run | undefined): JsonObject {
  if (run === undefined) return NOT_FOUND;
  switch (run.status) {
    case 'running':
      return {
        state: 'RUNNING',
        status: 'Running',
        result: null,
        result_json: null,
        ...position(run, namesOfDue(run)),
      };
    case 'waiting':
      return NOT_FOUND;
    case 'completed':
      return { state: 'SUCCESS', status: 'Completed', ...resultOf(run.result), ...position(run, null) };
    case 'failed':
      return { state: 'FAILED', status: run.error, result: null, result_json: null, ...position(run, null) };
  }
}

export function position(run: Run, current: string | null): JsonObject {
  const progress = { ...progressOf(run), current };
  return { progress, last_executed_task: lastOf(run.finished) };
}

function lastOf(finished: readonly FinishedTask[]): JsonObject | null {
  const last = finished.at(-1);
  return last ? { name: last.task, agent: last.agent, output: asText(last.output) } : null;
}

function resultOf(result: Json): JsonObject {
  return { result: asText(result), result_json: isObject(result) ? result : null };
}

function payload(event: AddressedEvent, run: Run): JsonObject {
  const { meta } = run.addresses;
  const kickoff_id = run.id;
  switch (event.type) {
    case 'human-input':
      return { kickoff_id, execution_id: run.executionId, task_id: event.task.id, task_output: event.output, meta };
    case 'task': {
      const { name, description, expectedOutput, agent } = event.task;
      const output = asText(event.output);
      const output_json = isObject(event.output) ? event.output : null;
      const summary = `${output.slice(0, 100)}${output.length > 100 ? '...' : ''}`;
      return {
        name,
        description,
        expected_output: expectedOutput,
        summary,
        agent,
        output,
        output_json,
        kickoff_id,
        meta,
      };
    }
    case 'step': {
      const { thought, tool, toolInput, result } = event.step;
      return {
        prompt: `Current task: ${event.task.name}`,
        thought,
        tool,
        tool_input: toolInput,
        result,
        kickoff_id,
        meta,
      };
    }
    case 'crew': {
      return { kickoff_id, ...resultOf(event.result), token_usage: tokenUsage(run), meta };
    }
  }
}
