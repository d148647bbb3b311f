import { z } from 'zod';
import { type AddressedEvent, currentTask, namesOfDue, progressOf, type Run } from '../executions/run.ts';
import { type Answer, answerJson, messageOf, type Problem, statusOf } from '../http/answer.ts';
import { anyJson, type Dialect, TOKEN_USAGE, tokenUsage } from './dialect.ts';
import { parseSpecKickoff, parseSpecResume, specKickoff, specResume } from './parse-request.ts';

/** CrewAI's own clients, such as its `InvokeCrewAIAutomationTool`, read no other field. */
const STATES = { running: 'RUNNING', waiting: 'PAUSED', completed: 'SUCCESS', failed: 'FAILED' } as const;

// Unnamed in the specification; a reader ignores fields that it doesn't know.
const MORE = { state: z.enum(STATES), token_usage: TOKEN_USAGE.exactOptional() };
const POSITION = {
  current_task: z.string(),
  progress: z.object({ completed_tasks: z.int(), total_tasks: z.int() }),
};
const FINISHED_TASK = z.object({ task_id: z.string(), name: z.string(), agent: z.string(), output: anyJson });
const STATUS = z.discriminatedUnion('status', [
  z.object({ status: z.literal('running'), ...MORE, ...POSITION }),
  z.object({ status: z.literal('Pending Human Input'), ...MORE, ...POSITION }),
  z.object({
    status: z.literal('completed'),
    ...MORE,
    result: z.object({ output: anyJson, tasks: z.array(FINISHED_TASK) }),
  }),
  z.object({ status: z.literal('error'), ...MORE, error: z.string() }),
]);

const RESUMED = z.object({ status: z.enum(['completed', 'resumed', 'retrying']), message: z.string() });

const PROBLEM = z.object({
  error: z.string(),
  message: z.string(),
  details: z.object({ missing_inputs: z.array(z.string()) }).exactOptional(),
});

const TASK_ID = { execution_id: z.string(), task_id: z.string() };
const PAYLOADS = {
  'human-input': z.object({ ...TASK_ID, task_output: anyJson }),
  task: z.object({
    ...TASK_ID,
    status: z.literal('completed'),
    name: z.string(),
    agent: z.string(),
    task_output: anyJson,
    execution_time: z.number().describe('In seconds.'),
  }),
  step: z.object({
    ...TASK_ID,
    agent: z.string(),
    thought: z.string(),
    tool: z.string(),
    tool_input: z.string(),
    result: z.string(),
  }),
  crew: z.object({
    execution_id: z.string(),
    status: z.literal('completed'),
    result: anyJson,
    token_usage: TOKEN_USAGE.exactOptional(),
  }),
};

/** The specification as written, with its gaps filled in the simplest way. */
export const specDialect: Dialect = {
  name: 'spec',
  resumes: 'in-place',
  hasTellingIds: true,
  deliveryAttempts: 12,
  answerLimitMs: 10_000,
  parseKickoff: parseSpecKickoff,
  parseResume: parseSpecResume,
  // Task, step and crew addresses are not carried over (section 4.4); the human-input address serves the whole run.
  addressesAfterResume: (before, resume) => ({ ...resume, humanInput: before.humanInput }),
  status: (run, id) => (run ? answerJson(200, statusBody(run)) : problemAnswer(unknownRun(id))),
  resumed: (run, { executionId, approved }) => {
    if (run?.status === 'completed')
      return answerJson(200, { status: 'completed', message: `Execution ${executionId} is completed.` });
    if (approved) return answerJson(200, { status: 'resumed', message: `Execution ${executionId} continues.` });
    return answerJson(200, { status: 'retrying', message: `Execution ${executionId} retries the task.` });
  },
  problem: problemAnswer,
  payload,
  schemas: {
    kickoff: specKickoff,
    resume: specResume,
    status: STATUS,
    resumed: RESUMED,
    problem: PROBLEM,
    payloads: PAYLOADS,
  },
};

function unknownRun(id: string): Problem {
  return { kind: 'not-found', message: `There is no execution ${id}.` };
}

function problemAnswer(problem: Problem): Answer {
  const details = problem.kind === 'missing-inputs' ? { missing_inputs: [...problem.names] } : undefined;
  const body: z.infer<typeof PROBLEM> = {
    error: problem.kind,
    message: messageOf(problem),
    ...(details && { details }),
  };
  return answerJson(statusOf(problem), body);
}

function statusBody(run: Run): z.infer<typeof STATUS> {
  const more = { state: STATES[run.status], ...(run.usage && { token_usage: tokenUsage(run) }) };
  switch (run.status) {
    case 'running':
      return { status: 'running', ...more, ...position(run, namesOfDue(run)) };
    case 'waiting':
      return { status: 'Pending Human Input', ...more, ...position(run, currentTask(run).name) };
    case 'completed': {
      const tasks = run.finished.map(({ taskId, task, agent, output }) => ({
        task_id: taskId,
        name: task,
        agent,
        output,
      }));
      return { status: 'completed', ...more, result: { output: run.result, tasks } };
    }
    case 'failed':
      return { status: 'error', ...more, error: run.error };
  }
}

function position(run: Run, task: string): z.infer<z.ZodObject<typeof POSITION>> {
  const { completed, total } = progressOf(run);
  return { current_task: task, progress: { completed_tasks: completed, total_tasks: total } };
}

function payload(event: AddressedEvent, run: Run): z.infer<(typeof PAYLOADS)[AddressedEvent['type']]> {
  const execution_id = run.executionId;
  switch (event.type) {
    case 'human-input':
      return { execution_id, task_id: event.task.id, task_output: event.output };
    case 'task': {
      const { id, name, agent } = event.task;
      const execution_time = event.durationMs / 1000;
      return { execution_id, task_id: id, status: 'completed', name, agent, task_output: event.output, execution_time };
    }
    case 'step': {
      const { id, agent } = event.task;
      const { thought, tool, toolInput, result } = event.step;
      return { execution_id, task_id: id, agent, thought, tool, tool_input: toolInput, result };
    }
    case 'crew':
      return {
        ...{ execution_id, status: 'completed', result: event.result },
        ...(run.usage && { token_usage: tokenUsage(run) }),
      };
  }
}
