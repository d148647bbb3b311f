import { request } from 'undici';

export type Reply = {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
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
    return { status: answer.statusCode, headers: answer.headers, text, body: jsonOrUndefined(text) };
  };
  return {
    send,
    get: (path) => send('GET', path, {}),
    post: (path, body) =>
      send('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
