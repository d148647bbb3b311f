// The server of a model: where it is, and what goes wrong with it.
/** An OpenAI-compatible server (https://platform.openai.com/docs/api-reference/chat), a local one too. */
export type ModelSettings = { readonly baseUrl: string; readonly apiKey: string; readonly name: string };

/** Returns the settings in `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL`; undefined without the first two. */
export function modelSettingsIn(env: NodeJS.ProcessEnv): ModelSettings | undefined {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: name } = env;
  return baseUrl && apiKey ? { baseUrl, apiKey, name: name || 'gpt-4o-mini' } : undefined;
}

/** The model gave no answer that can be used; the message says why, to people who review what a crew writes. */
export class ModelError extends Error {
  /** True if the same question may be answered a moment later. */
  readonly isPassing: boolean;

  constructor(message: string, { cause, kind = 'lasting' }: { cause?: unknown; kind?: 'passing' | 'lasting' } = {}) {
    super(message, { cause });
    this.isPassing = kind === 'passing';
  }
}

const BUSY = [429, 500, 502, 503, 504];

const ADVICE: Readonly<Record<number, string>> = {
  401: ' It doesn’t take OPENAI_API_KEY.',
  403: ' OPENAI_API_KEY may not use this model.',
  404: ' It doesn’t know OPENAI_MODEL, or OPENAI_BASE_URL isn’t where its API begins.',
};

/** The answer's body may repeat the key, so only its status is reported. */
export function refusedWith(status: number): ModelError {
  const kind = BUSY.includes(status) ? 'passing' : 'lasting';
  return new ModelError(`The model’s server answered ${status}.${ADVICE[status] ?? ''}`, { kind });
}

const PASSING = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'UND_ERR_SOCKET'];

/** Names a failure on the way by its code alone: the message may hold the request, the key too. */
export function unreachable(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const kind = PASSING.includes(code) ? 'passing' : 'lasting';
  return new ModelError(`The model’s server gave no answer (${code}).`, { cause: error, kind });
}
