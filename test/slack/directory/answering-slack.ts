import { startAnsweringServer } from '../../crew/answering-server.ts';

/** What a method answers: a body, or nothing at all while the connection stays open. */
type MethodAnswer = (args: URLSearchParams) => object | 'silence';

export interface AnsweringSlack {
  apiUrl: string;
  botToken: string;
  /** By method; one without an answer is unknown. */
  answers: Record<string, MethodAnswer>;
  /** The methods called so far. */
  calls(): string[];
  close(): Promise<void>;
}

/** A Web API that answers exactly what a test says. */
export async function startAnsweringSlack(answers: Record<string, MethodAnswer> = {}): Promise<AnsweringSlack> {
  const server = await startAnsweringServer();
  const slack: AnsweringSlack = {
    apiUrl: `${server.origin}/api/`,
    botToken: 'xoxb-answering',
    answers,
    calls: () => server.received.map(({ path }) => methodIn(path)),
    close: () => server.close(),
  };
  server.answerWith((response) => {
    const { path = '', body = '' } = server.received.at(-1) ?? {};
    const answer = slack.answers[methodIn(path)]?.(new URLSearchParams(body)) ?? { ok: false, error: 'unknown_method' };
    if (answer === 'silence') return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: true, ...answer }));
  });
  return slack;
}

const methodIn = (path: string) => path.replace('/api/', '');

/** A user as `users.info` describes members. */
export function user(override: Record<string, unknown> = {}): { user: object } {
  const profile = { display_name: 'Maria', real_name: 'Maria Alvarez' };
  return { user: { id: 'UMARIA001', team_id: 'T0SANDBOX1', name: 'maria', deleted: false, profile, ...override } };
}

export function refusal(error: string): object {
  return { ok: false, error };
}
