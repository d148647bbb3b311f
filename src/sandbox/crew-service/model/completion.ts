import { z } from 'zod';
import type { TokenUsage } from '../crew-description.ts';
import { jsonIn } from '../json.ts';
import { ModelError } from './model-error.ts';

export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** What the model said in one turn. */
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

const said = z.object({ content: z.string().nullish(), tool_calls: z.array(toolCall).nullish() });

const choice = z.object({
  /** Of a stream; `message` is that of a server that answers in one piece although it was asked to stream. */
  delta: said.nullish(),
  message: said.nullish(),
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

export function createCompletionReader(): CompletionReader {
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
