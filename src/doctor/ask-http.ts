import { request } from 'undici';

/** The answer to a GET; `reason` is a code such as ENOTFOUND. */
export type HttpAnswer =
  | { kind: 'answered'; status: number; text: string; date: string | null }
  | { kind: 'no-answer'; reason: string };

const ANSWER_MS = 6_000;
const MOST_CHARACTERS = 10_000;

/** Follows no redirects, never throws. */
export async function askHttp(url: string): Promise<HttpAnswer> {
  try {
    const { statusCode, headers, body } = await request(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    const text = (await body.text()).slice(0, MOST_CHARACTERS);
    return { kind: 'answered', status: statusCode, text, date: typeof headers.date === 'string' ? headers.date : null };
  } catch (error) {
    return { kind: 'no-answer', reason: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
