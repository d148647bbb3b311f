import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { CrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { crewCaller, type Reply } from '../crew-caller.ts';
import { type JsonBody, textIn } from '../json-body.ts';
import { until } from '../until.ts';
import type { Received, WebhookReceiver } from '../webhook-receiver.ts';

/** What signs the requests for feedback. */
export const SECRET = `whsec_${'5e'.repeat(32)}`;

/** Talks with a service that hosts flows, as a client does whose address stands in its dashboard. */
export interface FlowCaller {
  readonly crew: ReturnType<typeof crewCaller>;
  /** Starts the flow. Resolves to the `kickoff_id`. */
  start(inputs: JsonBody, more?: JsonBody): Promise<string>;
  /** The n-th request for feedback of a run, counted from 1. */
  asked(kickoffId: string, count: number): Promise<Received>;
  statusOf(kickoffId: string): Promise<JsonBody>;
  /** Waits for the state. */
  reaches(kickoffId: string, state: string): Promise<JsonBody>;
}

type Parties = { readonly service: CrewService; readonly receiver: WebhookReceiver; readonly path: string };

export const TOKEN = 'org-token';

export function flowCaller(flow: string, { service, receiver, path }: Parties): FlowCaller {
  const crew = crewCaller(service.baseUrlOf(flow), TOKEN);
  const statusOf = async (kickoffId: string) => (await crew.get(`/status/${kickoffId}`)).body;
  return {
    crew,
    statusOf,
    async start(inputs, more = {}) {
      const answer = await crew.post('/kickoff', { inputs, ...more });
      expect(answer.status, answer.text).toBe(200);
      return textIn(answer.body, 'kickoff_id');
    },
    asked: (kickoffId, count) =>
      until(
        `request ${count} of ${kickoffId}`,
        () => receiver.at(path).filter(({ body }) => body.flow_id === kickoffId)[count - 1],
      ),
    reaches: (kickoffId, state) =>
      until(`${state} of ${kickoffId}`, async () => {
        const body = await statusOf(kickoffId);
        return body.state === state && body;
      }),
  };
}

/** Answers a request as a client does. */
export function respond({ body }: Pick<Received, 'body'>, answer: unknown): Promise<Reply> {
  return crewCaller(textIn(body, 'callback_url'), undefined).post('', answer);
}

/** What a receiver computes to check a signature. */
export function signatureOf({ headers, text }: Received, secret = SECRET): string {
  const message = `${headers['x-crewai-timestamp']}.${text}`;
  return `sha256=${createHmac('sha256', secret).update(message).digest('hex')}`;
}
