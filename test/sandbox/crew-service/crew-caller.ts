import { request } from 'undici';
import { type JsonBody, parseBody } from './json-body.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** Empty for whatever isn't a JSON object. */
  readonly body: JsonBody;
};

export interface CrewCaller {
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: { body?: string; headers?: Record<string, string> },
  ): Promise<Reply>;
}

/** A plain HTTP client below a base address, with a token or none. */
export function crewCaller(baseUrl: string, token: string | undefined): CrewCaller {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send: CrewCaller['send'] = async (method, path, { body, headers = {} }) => {
    const answer = await request(`${baseUrl}${path}`, {
      method,
      headers: { ...authorization, ...headers },
      body: body ?? null,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, body: bodyOrNothing(text) };
  };
  return {
    send,
    get: (path) => send('GET', path, {}),
    post: (path, body) =>
      send('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
}

function bodyOrNothing(text: string): JsonBody {
  try {
    return parseBody(text);
  } catch {
    return {};
  }
}
