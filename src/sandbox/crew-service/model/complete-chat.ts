import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import type { TokenUsage } from '../crew-description.ts';
import { type JsonObject, jsonIn } from '../json.ts';
import { ModelError, type ModelSettings, refusedWith, unreachable } from './model-server.ts';

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

export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** The model's words of one turn. */
export type Completion = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** False where the model stopped at its length limit. */
  readonly isWhole: boolean;
};

const count = z.number().int().nonnegative().catch(0);
const usage = z.object({ prompt_tokens: count, completion_tokens: count });

const toolCall = z.object({
  index: z.number().int().nonnegative().max(1_000).optional(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const delta = z.object({ content: z.string().nullish(), tool_calls: z.array(toolCall).nullish() });

const choice = z.object({
  /** The delta of a stream; `message` comes from a server that answers in one piece although it was asked to stream. */
  delta: delta.nullish(),
  message: delta.nullish(),
  finish_reason: z.string().nullish(),
});

/** https://platform.openai.com/docs/api-reference/chat-streaming: the last chunk may have the usage and no choice. */
const chunk = z.object({ choices: z.array(choice), usage: usage.nullish() });

/** Puts a model's answer together from its chunks. */
interface CompletionReader {
  /** Takes the data of an event, and returns the text that it adds. Throws `ModelError`. */
  read(data: string): string;
  /** The whole answer. Throws `ModelError` where the stream ended before it, or without any answer. */
  finish(): { readonly completion: Completion; readonly usage: TokenUsage | undefined };
}

function createCompletionReader(): CompletionReader {
  const calls: { id: string; name: string; arguments: string }[] = [];
  let text = '';
  let reason: string | undefined;
  let used: TokenUsage | undefined;

  function readCall({ index = calls.length, id, function: called }: z.infer<typeof toolCall>): void {
    const call = calls[index] ?? { id: '', name: '', arguments: '' };
    calls[index] = {
      id: id ?? call.id,
      name: call.name + (called?.name ?? ''),
      arguments: call.arguments + (called?.arguments ?? ''),
    };
  }

  return {
    read(data) {
      if (data === '[DONE]') {
        reason ??= 'stop';
        return '';
      }
      const parsed = chunk.safeParse(jsonIn(data)).data;
      if (parsed === undefined) throw new ModelError('The model’s server sent something that is no answer.');
      if (parsed.usage) {
        used = { promptTokens: parsed.usage.prompt_tokens, completionTokens: parsed.usage.completion_tokens };
      }
      const [first] = parsed.choices;
      const { content, tool_calls } = first?.delta ?? first?.message ?? {};
      for (const call of tool_calls ?? []) readCall(call);
      reason = first?.finish_reason ?? reason;
      text += content ?? '';
      return content ?? '';
    },
    finish() {
      if (reason === undefined)
        throw new ModelError('The model’s server stopped in the middle of its answer.', { kind: 'passing' });
      const answer = withoutThoughts(text);
      const toolCalls = calls.filter((call) => call !== undefined);
      if (answer === '' && toolCalls.length === 0) throw new ModelError('The model’s server answered without a text.');
      return { completion: { text: answer, toolCalls, isWhole: reason !== 'length' }, usage: used };
    },
  };
}

/** Local models put their thoughts before their answer. */
function withoutThoughts(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
}

/**
 * The data of each event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 * An event that the end of the stream cuts off counts, too.
 */
async function* eventsIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unfinished = '';
  let data: string[] = [];
  for await (const bytes of stream) {
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r/);
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') data.push(...dataIn(line));
      else if (data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
  data.push(...dataIn(unfinished));
  if (data.length > 0) yield data.join('\n');
}

function dataIn(line: string): string[] {
  return line.startsWith('data:') ? [line.slice('data:'.length).replace(/^ /, '')] : [];
}
