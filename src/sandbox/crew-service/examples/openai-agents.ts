// An agent of the OpenAI Agents SDK as a crew: it pays nothing back that no person has approved.
//   npm install @signoff/crew-service @openai/agents
//   OPENAI_API_KEY=your-key npx crew-service --crews openai-agents.ts
import { Agent, RunState, run, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents';
import { fromOpenAIAgents, z } from '@signoff/crew-service';

// Most servers that are compatible with OpenAI's (OPENAI_BASE_URL) know this API only.
setOpenAIAPI('chat_completions');
// Otherwise OpenAI gets traces of the agents.
setTracingDisabled(true);

const refund = tool({
  name: 'refund',
  description: 'Pays an order back, in whole or in part.',
  parameters: z.object({ order: z.string(), amount: z.number().describe('In euros') }),
  needsApproval: true,
  // Your own system would be called here.
  execute: ({ order, amount }) => `Paid ${amount} EUR back for ${order}.`,
});

const support = new Agent({
  name: 'Support',
  instructions: 'Help customers. Pay back what they are owed, and no more. Where that is refused, say why.',
  tools: [refund],
});

export const crews = [
  fromOpenAIAgents(support, {
    name: 'support',
    inputs: { complaint: z.string().min(1) },
    input: ({ complaint }) => `A customer writes:\n${complaint}`,
    run,
    RunState,
  }),
];
