import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { TokenUsage } from '../crew-description.ts';
import type { JsonObject } from '../json.ts';
import { type Completion, createCompletionReader } from './completion.ts';
import { eventsIn } from './event-stream.ts';
import { ModelError, refusedWith, unreachable } from './model-error.ts';
import type { ModelSettings } from './model-settings.ts';

const SILENCE_MS = 120_000;
const LARGEST_STREAM_BYTES = 50_000_000;
const LONGEST_TEXT = 1_000_000;

const dispatcher = new Agent({
  headersTimeout: SILENCE_MS,
  bodyTimeout: SILENCE_MS,
  maxResponseSize: LARGEST_STREAM_BYTES,
});

type Chat = {
  readonly settings: ModelSettings;
  /** `messages` and, where there are some, `tools`. */
  readonly question: JsonObject;
  readonly onText: (text: string) => Promise<void>;
  readonly signal: AbortSignal;
};

type Answered = { readonly completion: Completion; readonly usage: TokenUsage | undefined };

const TRIES = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Has the model go on with a chat. A busy server is asked again, or the execution would end over it, with all that its
 * reviewers have said. Rejects with `ModelError`, or when `signal` aborts.
 */
export async function completeChat(chat: Chat): Promise<Answered> {
  for (let tries = 1; ; tries++) {
    const wait = { ms: FIRST_PAUSE_MS * 2 ** (tries - 1) };
    try {
      return await completeOnce(chat, wait);
    } catch (error) {
      chat.signal.throwIfAborted();
      const reason = unreachable(error);
      if (!reason.isPassing || tries === TRIES) throw reason;
      await pause(Math.min(wait.ms, LONGEST_PAUSE_MS), undefined, { signal: chat.signal });
    }
  }
}

/** Puts into `wait` how long a busy server asks to be left alone. */
async function completeOnce({ settings, question, onText, signal }: Chat, wait: { ms: number }): Promise<Answered> {
  const { baseUrl, apiKey, name } = settings;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: name, stream: true, stream_options: { include_usage: true }, ...question });
  const address = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;
  const answer = await request(address, { method: 'POST', headers, body, signal, dispatcher });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
    if (seconds >= 0) wait.ms = seconds * 1_000;
    throw refusedWith(answer.statusCode);
  }
  const reader = createCompletionReader();
  let length = 0;
  for await (const data of eventsIn(bodyOf(answer.body, `${answer.headers['content-type']}`))) {
    const text = reader.read(data);
    length += text.length;
    if (length > LONGEST_TEXT) throw new ModelError(`The model wrote more than ${LONGEST_TEXT} characters.`);
    if (text !== '') await onText(text);
  }
  return reader.finish();
}

/** A server that can't stream answers with one piece of JSON, which is read as the only event. */
async function* bodyOf(body: AsyncIterable<Uint8Array>, type: string): AsyncGenerator<Uint8Array> {
  const isStream = !type.startsWith('application/json');
  if (isStream) return yield* body;
  const parts: Uint8Array[] = [Buffer.from('data: ')];
  for await (const part of body) parts.push(part);
  yield Buffer.from(
    Buffer.concat(parts)
      .toString()
      .replace(/\s*\n\s*/g, ' '),
  );
}
