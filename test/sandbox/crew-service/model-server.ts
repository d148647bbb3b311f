import { once } from 'node:events';
import { createServer } from 'node:http';
import type { JsonBody } from './json-body.ts';

type Question = {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: JsonBody & { readonly messages: readonly JsonBody[] };
};

/** An answer of the server; a stream's events are sent one after another, and `cut` breaks it off. */
type ModelAnswer = {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly string[];
  readonly end?: 'whole' | 'cut';
};

export interface ModelServer {
  readonly baseUrl: string;
  readonly questions: readonly Question[];
  /** Questions beyond these are answered with a draft and its number. */
  answerWith(...answers: readonly ModelAnswer[]): void;
  close(): Promise<void>;
}

/** A model's server on loopback, which streams as https://platform.openai.com/docs/api-reference/chat-streaming says. */
export async function startModelServer(): Promise<ModelServer> {
  const questions: Question[] = [];
  const answers: ModelAnswer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    questions.push({ headers: { ...request.headers, path: request.url }, body });
    const answer = answers.shift() ?? streamed([`# Draft ${questions.length}`]);
    const { status = 200, type = 'text/event-stream', headers = {} } = answer;
    response.writeHead(status, { 'content-type': type, ...headers });
    for (const part of answer.body) await new Promise((sent) => response.write(part, sent));
    if (answer.end === 'cut') response.destroy();
    else response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1/`,
    questions,
    answerWith: (...next) => void answers.push(...next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Choice = { readonly delta: object; readonly finish_reason: string | null };

const event = (choices: readonly Choice[], usage: object | null = null) => {
  const choice = choices.map((each) => ({ index: 0, ...each }));
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: choice, usage })}\n\n`;
};

const LAST = ['data: [DONE]\n\n'];
const USAGE = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };

/** A text in pieces, then its end, then what it cost. */
export function streamed(
  pieces: readonly string[],
  { finish = 'stop', usage = USAGE as object | null } = {},
): ModelAnswer {
  const deltas = pieces.map((content) => event([{ delta: { content }, finish_reason: null }]));
  const end = event([{ delta: {}, finish_reason: finish }]);
  return {
    body: [
      event([{ delta: { role: 'assistant', content: '' }, finish_reason: null }]),
      ...deltas,
      end,
      ...(usage ? [event([], usage)] : []),
      ...LAST,
    ],
  };
}

/** Calls of tools, whose arguments come in two pieces. */
export function calling(...calls: readonly { readonly name: string; readonly given: string }[]): ModelAnswer {
  const deltas = calls.flatMap(({ name, given }, index) => [
    { index, id: `call-${index}`, type: 'function', function: { name, arguments: given.slice(0, 3) } },
    { index, function: { arguments: given.slice(3) } },
  ]);
  const events = deltas.map((call) => event([{ delta: { tool_calls: [call] }, finish_reason: null }]));
  return { body: [...events, event([{ delta: {}, finish_reason: 'tool_calls' }]), event([], USAGE), ...LAST] };
}

export const refused = (
  status: number,
  headers: Readonly<Record<string, string>> = { 'retry-after': '0' },
): ModelAnswer => ({
  ...{ status, headers, type: 'application/json' },
  body: ['{"error":{"message":"Incorrect API key provided: secret-key"}}'],
});
