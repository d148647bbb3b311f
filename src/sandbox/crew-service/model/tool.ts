import { z } from 'zod';
import { errorMessage } from '../error-message.ts';
import { asText, type Json, type JsonObject, jsonIn, jsonOf } from '../json.ts';

type ToolDefinition<Input extends z.ZodObject> = {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** Tells the model what it is for. */
  readonly description: string;
  readonly input: Input;
  /** Answers a call. The model gets its value, or the message of the error that it throws. */
  readonly run: (input: z.output<Input>, context: { readonly signal: AbortSignal }) => Promise<Json> | Json;
};

/** A function that a model may call. */
export interface Tool {
  readonly name: string;
  /** The form of https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools. */
  readonly definition: JsonObject;
  /** Resolves to the answer for the model, also about wrong arguments. Rejects only when `signal` aborts. */
  call(argumentsText: string, signal: AbortSignal): Promise<string>;
}

const TOOL_NAME = /^[\w-]{1,64}$/;

/** Throws `TypeError` for a name that the model's server wouldn't take. */
export function tool<Input extends z.ZodObject>({ name, description, input, run }: ToolDefinition<Input>): Tool {
  if (!TOOL_NAME.test(name))
    throw new TypeError(`A tool's name has at most 64 letters, digits, _ and -, not "${name}".`);
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  const parameters = jsonOf(schema, `The input of the tool "${name}"`);
  return {
    name,
    definition: { type: 'function', function: { name, description, parameters } },
    async call(argumentsText, signal) {
      const parsed = await input.safeParseAsync(jsonIn(argumentsText.trim() === '' ? '{}' : argumentsText));
      if (!parsed.success) return `Not called: the arguments are wrong.\n${z.prettifyError(parsed.error)}`;
      try {
        return asText(jsonOf(await run(parsed.data, { signal }), `What the tool "${name}" returns`));
      } catch (error) {
        signal.throwIfAborted();
        return `The call failed: ${errorMessage(error)}`;
      }
    },
  };
}
