// A graph of LangGraph as a crew: it drafts a leaflet until a person approves it.
//   npm install @signoff/crew-service @langchain/langgraph
//   npx crew-service --crews langgraph.ts
import { Annotation, Command, interrupt, START, StateGraph } from '@langchain/langgraph';
import { fromLangGraph, z } from '@signoff/crew-service';
import { FolderSaver } from './folder-saver.ts';

const Leaflet = Annotation.Root({
  topic: Annotation<string>(),
  text: Annotation<string>(),
  wishes: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});

type Decision = { approved: boolean; feedback: string };

const graph = new StateGraph(Leaflet)
  // A model would write here.
  .addNode('draft', ({ topic, wishes }) => ({ text: [`# About ${topic}`, ...wishes].join('\n') }))
  .addNode(
    'review',
    ({ text }) => {
      // All that comes before it in its node runs again when the graph is resumed.
      const { approved, feedback }: Decision = interrupt(text);
      return approved
        ? new Command({ goto: 'publish' })
        : new Command({ goto: 'draft', update: { wishes: [feedback] } });
    },
    { ends: ['draft', 'publish'] },
  )
  .addNode('publish', ({ text }) => ({ text: `Published:\n${text}` }))
  .addEdge(START, 'draft')
  .addEdge('draft', 'review')
  // Each run has a process of its own, which ends while it waits: a MemorySaver would forget it.
  .compile({ checkpointer: new FolderSaver('.crew-service/graphs') });

export const crews = [
  fromLangGraph(graph, {
    name: 'leaflet',
    inputs: { topic: z.string().min(1) },
    Command,
    output: ({ text }) => text,
  }),
];
