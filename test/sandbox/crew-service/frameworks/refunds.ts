import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelResponse,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { z } from 'zod';

// Nothing is sent to anybody.
setTracingDisabled(true);

type World = {
  /** Pays back, as its approval allows. */
  readonly pay: (call: string) => Promise<void>;
  /** Passes each of the model's answers on. */
  readonly think: (answer: ModelResponse) => Promise<ModelResponse>;
};

/** Looks an order up, and pays it back in two parts; where a part is rejected, it tries half of it. */
export function refundAgent({ pay, think }: World) {
  const lookUp = tool({
    name: 'look_up',
    description: 'Finds an order.',
    parameters: z.object({ order: z.string() }),
    execute: async ({ order }) => `${order}: 50 EUR`,
  });
  const refund = tool({
    name: 'refund',
    description: 'Pays back.',
    parameters: z.object({ order: z.string(), amount: z.number() }),
    needsApproval: true,
    async execute({ order, amount }) {
      await pay(`${order}: ${amount}`);
      return `paid ${amount}`;
    },
  });
  const model: Model = {
    getResponse: async ({ input }) =>
      think({ usage: new Usage(), output: answerTo(typeof input === 'string' ? [] : input) }),
    getStreamedResponse() {
      throw new Error('not expected');
    },
  };
  return new Agent({ name: 'Support', instructions: 'Pay back what is owed.', model, tools: [lookUp, refund] });
}

/** Pays the same back twice, in one call after the other. */
export function eagerAgent() {
  const refund = tool({
    name: 'refund',
    description: 'Pays back.',
    parameters: z.object({ order: z.string(), amount: z.number() }),
    needsApproval: true,
    execute: async ({ amount }) => `paid ${amount}`,
  });
  const model: Model = {
    async getResponse({ input }) {
      const results = typeof input === 'string' ? [] : resultsIn(input);
      const isDone = results.length === 2;
      const next = isDone
        ? says(results.join(', '))
        : call('refund', `c${results.length}`, { order: 'A-1', amount: 20 });
      return { usage: new Usage(), output: [next] };
    },
    getStreamedResponse() {
      throw new Error('not expected');
    },
  };
  return new Agent({ name: 'Support', instructions: 'Pay back twice.', model, tools: [refund] });
}

function resultsIn(input: readonly AgentInputItem[]): string[] {
  return input.flatMap((item) => (item.type === 'function_call_result' ? [textOf(item.output)] : []));
}

function says(text: string): ModelResponse['output'][number] {
  return { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] };
}

/** What a model would answer, from what it is sent alone. */
function answerTo(input: readonly AgentInputItem[]): ModelResponse['output'] {
  const results = new Map(
    input.flatMap((item) =>
      item.type === 'function_call_result' ? [[item.callId, textOf(item.output)] as const] : [],
    ),
  );
  if (results.size === 0) return [call('look_up', 'c1', { order: 'A-1' })];
  if (results.size === 1)
    return [call('refund', 'c2', { order: 'A-1', amount: 20 }), call('refund', 'c3', { order: 'A-1', amount: 30 })];
  const isLess = [...results.values()].includes('Too much.');
  if (isLess && results.size === 3) return [call('refund', 'c4', { order: 'A-1', amount: 15 })];
  return [says([...results.values()].join(', '))];
}

function call(name: string, callId: string, given: object) {
  return { type: 'function_call', name, callId, arguments: JSON.stringify(given), status: 'completed' } as const;
}

function textOf(output: unknown): string {
  return typeof output === 'object' && output !== null && 'text' in output ? String(output.text) : String(output);
}
