// A crew file: what it keeps lies in the folder CREW_FOLDER, so that it outlives its processes.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { RunState, run } from '@openai/agents';
import { fromLangGraph, fromOpenAIAgents, z } from '@signoff/crew-service';
import { FolderSaver } from '../../../../src/sandbox/crew-service/examples/folder-saver.ts';
import { newsletterGraph } from './graphs.ts';
import { refundAgent as refundByLangChain } from './langchain-agents.ts';
import { refundAgent } from './refunds.ts';

const at = (file: string) => join(process.env.CREW_FOLDER ?? '', file);
const never = () => new Promise<never>(() => {});

/** While `kill-after` has a text, the service is killed once that was asked and is on disk. */
class DeadlySaver extends FolderSaver {
  override async putWrites(...given: Parameters<FolderSaver['putWrites']>) {
    await super.putWrites(...given);
    if (!existsSync(at('kill-after'))) return;
    const asked = given[1].filter(([channel]) => channel === '__interrupt__');
    if (!JSON.stringify(asked).includes(readFileSync(at('kill-after'), 'utf8'))) return;
    rmSync(at('kill-after'));
    process.kill(process.ppid, 'SIGKILL');
    await never();
  }
}

const Empty = Annotation.Root({ topic: Annotation<string>() });

const oneNode = (work: () => object) =>
  new StateGraph(Empty).addNode('work', work).addEdge(START, 'work').compile({ checkpointer: new MemorySaver() });

/** While `hold-payments` exists, a payment is made but never ends. */
const refunds = refundAgent({
  async pay(call) {
    const isHeld = existsSync(at('hold-payments'));
    appendFileSync(at('paid'), `${call}\n`);
    if (isHeld) await never();
  },
  think: async (answer) => answer,
});

const agent = refundByLangChain({
  checkpointer: new DeadlySaver(at('agents')),
  pay: (amount) => appendFileSync(at('paid-by-langchain'), `${amount}\n`),
});

const inputs = { topic: z.string() };

export const crews = [
  fromLangGraph(newsletterGraph(new DeadlySaver(at('graphs'))), { name: 'news', inputs, Command }),
  fromLangGraph(
    oneNode(() => ({ topic: interrupt('Fine?') })),
    { name: 'forgetful', inputs, Command },
  ),
  fromLangGraph(
    oneNode(() => {
      throw new Error('The oven is cold.');
    }),
    { name: 'broken', inputs, Command },
  ),
  fromOpenAIAgents(refunds, {
    name: 'refunds',
    inputs: { order: z.string() },
    input: ({ order }) => `Refund ${order}`,
    run,
    RunState,
  }),
  fromLangGraph(agent, {
    name: 'langchain-refunds',
    inputs: { order: z.string() },
    Command,
    input: ({ order }) => ({ messages: [{ role: 'user', content: `Refund ${order}` }] }),
    output: ({ messages }) => messages.at(-1)?.text,
  }),
];
