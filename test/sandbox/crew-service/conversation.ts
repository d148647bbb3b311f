import { randomUUID } from 'node:crypto';
import type { DialectName } from '../../../src/sandbox/crew-service/dialects/dialect.ts';
import type { WebhookAuthentication } from '../../../src/sandbox/crew-service/executions/run.ts';
import type { RunSummary } from '../../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import type { CrewService } from '../../../src/sandbox/crew-service/service.ts';
import { crewCaller, type Reply } from './crew-caller.ts';
import { objectIn, textIn } from './json-body.ts';
import { until } from './until.ts';
import type { Received, WebhookReceiver } from './webhook-receiver.ts';

type Verdict = { readonly approved: boolean; readonly text: string };

/** One execution as a client of the service lives through it. */
export interface ConversationRun {
  /** As kickoff answered it. */
  readonly kickoffId: string;
  /** The n-th human-input notification, counted from 1. */
  pause(count: number): Promise<Received>;
  event(kind: 'task' | 'step' | 'crew', count: number): Promise<Received>;
  events(kind: 'task' | 'step' | 'crew'): readonly Received[];
  /** Resumes in the words of the dialect; expects a 200. */
  resume(pause: Received, verdict: Verdict, options?: { events: 'named' | 'left out' }): Promise<Reply>;
  /** An approval with some fields replaced, in whichever spelling. */
  resumeWith(pause: Received, fields: Record<string, unknown>): Promise<Reply>;
  resumeAs(token: string, pause: Received): Promise<Reply>;
  /** The newest run of this execution. */
  summary(): Promise<RunSummary | undefined>;
  /** Waits for the end. */
  result(): Promise<unknown>;
}

export interface Conversation {
  start(
    crew: string,
    inputs: Record<string, unknown>,
    authentication?: WebhookAuthentication,
    options?: { token?: string; kickoff?: Record<string, unknown> },
  ): Promise<ConversationRun>;
  /** What status says of a run that has completed, in the words of the dialect. */
  resultOf(crew: string, kickoffId: string): Promise<unknown>;
  endOf(crew: string, kickoffId: string): Promise<{ result: unknown; error: unknown }>;
}

type Parties = { service: CrewService; receiver: WebhookReceiver; dialect: DialectName; token: string };

/** Talks with a service as a client does that knows its dialect. */
export function converse({ service, receiver, dialect, token }: Parties): Conversation {
  async function endOf(crew: string, kickoffId: string) {
    const caller = crewCaller(service.baseUrlOf(crew), token);
    return until(`the end of ${kickoffId}`, async () =>
      endIn(dialect, (await caller.get(`/status/${kickoffId}`)).body),
    );
  }

  const start: Conversation['start'] = async (crew, inputs, authentication, options = {}) => {
    const path = `/${randomUUID()}`;
    const base = service.baseUrlOf(crew);
    const caller = crewCaller(base, options.token ?? token);
    const humanInputWebhook = { url: receiver.urlOf(`${path}/human-input`), ...(authentication && { authentication }) };
    const { body } = await caller.post('/kickoff', { inputs, humanInputWebhook, ...options.kickoff });
    const kickoffId = textIn(body, 'kickoff_id');
    const addresses = {
      taskWebhookUrl: receiver.urlOf(`${path}/task`),
      stepWebhookUrl: receiver.urlOf(`${path}/step`),
      crewWebhookUrl: receiver.urlOf(`${path}/crew`),
    };
    const bodyFor = (pause: Received, { approved, text }: Verdict) =>
      dialect === 'spec'
        ? { execution_id: kickoffId, task_id: pause.body.task_id, human_feedback: text, is_approve: approved }
        : {
            executionId: kickoffId,
            taskId: pause.body.task_id,
            humanFeedback: text,
            isApprove: approved,
            humanInputWebhook,
          };
    const approval: Verdict = { approved: true, text: 'Approved.' };
    const summary = async () => (await service.sandbox.runs()).find((one) => one.executionId === kickoffId);

    return {
      kickoffId,
      summary,
      pause: (count) => receiver.nth(`${path}/human-input`, count),
      event: (kind, count) => receiver.nth(`${path}/${kind}`, count),
      events: (kind) => receiver.at(`${path}/${kind}`),
      async resume(pause, verdict, { events } = { events: 'left out' }) {
        const answer = await caller.post('/resume', {
          ...bodyFor(pause, verdict),
          ...(events === 'named' && addresses),
        });
        if (answer.status !== 200) throw new Error(`resume was answered with ${answer.status}: ${answer.text}`);
        return answer;
      },
      resumeWith: (pause, fields) => caller.post('/resume', { ...bodyFor(pause, approval), ...fields }),
      resumeAs: (other, pause) => crewCaller(base, other).post('/resume', bodyFor(pause, approval)),
      async result() {
        const ended = await until('a completed run', async () => {
          const newest = await summary();
          return newest?.status === 'completed' && newest;
        });
        return (await endOf(crew, ended.kickoffId)).result;
      },
    };
  };

  return { start, endOf, resultOf: async (crew, kickoffId) => (await endOf(crew, kickoffId)).result };
}

function endIn(dialect: DialectName, body: Reply['body']): { result: unknown; error: unknown } | undefined {
  switch (dialect) {
    case 'spec':
      if (body.status === 'completed') return { result: objectIn(body, 'result').output, error: undefined };
      return body.status === 'error' ? { result: undefined, error: body.error } : undefined;
    case 'observed':
    case 'flows':
      if (body.state === 'SUCCESS') return { result: body.result_json ?? body.result, error: undefined };
      return body.state === 'FAILED' ? { result: undefined, error: body.status } : undefined;
  }
}
