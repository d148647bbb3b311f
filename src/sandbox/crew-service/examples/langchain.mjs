// An agent of LangChain as a crew: it pays nothing back that no person has approved.
//   npm install @signoff/crew-service langchain @langchain/langgraph @langchain/openai
//   OPENAI_API_KEY=your-key npx crew-service --crews langchain.mjs
import { Command } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { fromLangGraph, z } from '@signoff/crew-service';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { FolderSaver } from './folder-saver.ts';

// Your own system would be called here.
const refund = tool(({ order, amount }) => `Paid ${amount} EUR back for ${order}.`, {
  name: 'refund',
  description: 'Pays an order back, in whole or in part.',
  schema: z.object({ order: z.string(), amount: z.number().describe('In euros') }),
});

const support = createAgent({
  // It reads OPENAI_BASE_URL, too.
  model: new ChatOpenAI({ model: 'gpt-5-mini' }),
  systemPrompt: 'Help customers. Pay back what they are owed, and no more. Where that is refused, say why.',
  tools: [refund],
  // @ts-expect-error The package's own types can't be met under exactOptionalPropertyTypes.
  middleware: [humanInTheLoopMiddleware({ interruptOn: { refund: true } })],
  // Each run has a process of its own, which ends while it waits: a MemorySaver would forget it.
  checkpointer: new FolderSaver('.crew-service/agents'),
});

export const crews = [
  fromLangGraph(support, {
    name: 'support-by-langchain',
    inputs: { complaint: z.string().min(1) },
    Command,
    input: ({ complaint }) => ({ messages: [{ role: 'user', content: `A customer writes:\n${complaint}` }] }),
    output: ({ messages }) => messages.at(-1)?.text,
  }),
];
