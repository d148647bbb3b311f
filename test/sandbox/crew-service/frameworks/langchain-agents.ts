import type { BaseCheckpointSaver } from '@langchain/langgraph';
import {
  type AgentMiddleware,
  AIMessage,
  type BaseMessage,
  createAgent,
  fakeModel,
  humanInTheLoopMiddleware,
  ToolMessage,
  tool,
} from 'langchain';
import { z } from 'zod';

type Reviewed = Record<string, true | { allowedDecisions: ('approve' | 'edit' | 'reject')[]; description: string }>;

type World = {
  readonly checkpointer: BaseCheckpointSaver;
  /** Pays back, as its approval allows. */
  readonly pay: (amount: number) => Promise<void> | void;
  readonly interruptOn?: Reviewed;
  readonly amounts?: readonly number[];
  readonly order?: string;
  /** What the tool takes. */
  readonly schema?: typeof REFUND;
};

export const REFUND = z.object({ order: z.string(), amount: z.number() });

/** More calls of the model than any story has. */
const MOST_TURNS = 30;

/** Pays an order back in parts, all at once; after a rejection it tries half of the last part. */
export function refundAgent({
  checkpointer,
  pay,
  interruptOn = { refund: true },
  amounts = [20, 30],
  order = 'A-1',
  schema = REFUND,
}: World) {
  const refund = tool(
    async ({ amount }) => {
      await pay(amount);
      return `paid ${amount}`;
    },
    {
      name: 'refund',
      description: 'Pays back.',
      schema,
    },
  );
  const model = fakeModel();
  for (let turn = 0; turn < MOST_TURNS; turn++) model.respond((messages) => answerTo(messages, { amounts, order }));
  return createAgent({
    ...{ model, tools: [refund], checkpointer },
    // The package's types of the middleware can't be met under exactOptionalPropertyTypes.
    middleware: [humanInTheLoopMiddleware({ interruptOn } as never) as AgentMiddleware],
  });
}

/** What a model would answer, from what it is sent alone. */
function answerTo(
  messages: readonly BaseMessage[],
  { amounts, order }: Required<Pick<World, 'amounts' | 'order'>>,
): AIMessage {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  const rejections = results.filter(({ status }) => status === 'error');
  const [last = 0] = amounts.slice(-1);
  const wanted = rejections.length > 0 ? [...amounts.slice(0, -1), last / 2] : amounts;
  if (results.length > rejections.length) return new AIMessage(results.map(({ text }) => text).join(', '));
  return new AIMessage({
    content: '',
    tool_calls: wanted.map((amount) => ({
      name: 'refund',
      args: { order, amount },
      id: `${messages.length}-${amount}`,
    })),
  });
}
