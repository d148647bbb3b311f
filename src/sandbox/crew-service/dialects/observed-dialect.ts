import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type AddressedEvent, type FinishedTask, namesOfDue, progressOf, type Run } from '../executions/run.ts';
import { type Answer, answerJson, messageOf, type Problem, statusOf } from '../http/answer.ts';
import { asText, isObject, type Json } from '../json.ts';
import { anyJson, type Dialect, TOKEN_USAGE, tokenUsage } from './dialect.ts';
import {
  jsonObject,
  observedKickoff,
  observedResume,
  parseObservedKickoff,
  parseObservedResume,
} from './parse-request.ts';

const RESULT = { result: z.string().nullable(), result_json: jsonObject.nullable() };
const POSITION = {
  progress: z.object({ completed: z.int(), total: z.int(), current: z.string().nullable() }),
  last_executed_task: z.object({ name: z.string(), agent: z.string(), output: z.string() }).nullable(),
};
export const STATUS = z.object({
  state: z.enum(['RUNNING', 'PAUSED', 'SUCCESS', 'FAILED', 'NOT FOUND']),
  status: z.string().describe('A message, or why it failed.'),
  ...RESULT,
  progress: POSITION.progress.exactOptional(),
  last_executed_task: POSITION.last_executed_task.exactOptional(),
});

const MISSING_FIELD = z.object({ type: z.literal('missing'), loc: z.array(z.string()), msg: z.string() });
const PROBLEM = z.object({ detail: z.union([z.string(), z.array(MISSING_FIELD)]) });

const META = { kickoff_id: z.string(), meta: jsonObject };
const PAYLOADS = {
  'human-input': z.object({ execution_id: z.string(), task_id: z.string(), task_output: anyJson, ...META }),
  task: z.object({
    name: z.string(),
    description: z.string(),
    expected_output: z.string(),
    summary: z.string(),
    agent: z.string(),
    output: z.string(),
    output_json: jsonObject.nullable(),
    ...META,
  }),
  step: z.object({
    prompt: z.string(),
    thought: z.string(),
    tool: z.string(),
    tool_input: z.string(),
    result: z.string(),
    ...META,
  }),
  crew: z.object({ ...RESULT, token_usage: TOKEN_USAGE, ...META }),
};

/** The behaviour of deployed services where the specification is silent or says otherwise. */
export const observedDialect: Dialect = {
  name: 'observed',
  resumes: 'new-run',
  hasTellingIds: false,
  deliveryAttempts: 1,
  answerLimitMs: 10_000,
  parseKickoff: parseObservedKickoff,
  parseResume: parseObservedResume,
  // Nothing is carried over: without a new human-input address the next pause goes unannounced.
  addressesAfterResume: (_before, resume) => resume,
  status: (run) => answerJson(200, statusBody(run)),
  // A 200 proves nothing: a resume of an unknown execution gets a new id too.
  resumed: (run) => answerJson(200, { kickoff_id: run?.id ?? randomUUID() }),
  problem: problemAnswer,
  payload,
  schemas: {
    kickoff: observedKickoff,
    resume: observedResume,
    status: STATUS,
    resumed: z.object({ kickoff_id: z.string() }),
    problem: PROBLEM,
    payloads: PAYLOADS,
  },
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

const NOT_FOUND = { state: 'NOT FOUND', status: 'Execution not found', result: null, result_json: null } as const;

export function statusBody(run: Run | undefined): z.infer<typeof STATUS> {
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

export function position(run: Run, current: string | null): z.infer<z.ZodObject<typeof POSITION>> {
  const progress = { ...progressOf(run), current };
  return { progress, last_executed_task: lastOf(run.finished) };
}

function lastOf(finished: readonly FinishedTask[]) {
  const last = finished.at(-1);
  return last ? { name: last.task, agent: last.agent, output: asText(last.output) } : null;
}

function resultOf(result: Json): z.infer<z.ZodObject<typeof RESULT>> {
  return { result: asText(result), result_json: isObject(result) ? result : null };
}

function payload(event: AddressedEvent, run: Run): z.infer<(typeof PAYLOADS)[AddressedEvent['type']]> {
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
