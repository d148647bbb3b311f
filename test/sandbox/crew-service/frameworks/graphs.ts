import { Annotation, type BaseCheckpointSaver, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';

export type Answer = { readonly approved: boolean; readonly feedback: string };

const State = Annotation.Root({
  topic: Annotation<string>(),
  text: Annotation<string>(),
  /** What was asked, and what came as its answer. The graph within hands back all of it. */
  heard: Annotation<readonly string[]>({
    reducer: (before, more) => [...new Set([...before, ...more])],
    default: () => [],
  }),
});

type Draft = typeof State.State;

/** Asks people, and notes what it hears. */
function ask(question: unknown): { answer: Answer; heard: string } {
  const answer: Answer = interrupt(question);
  return { answer, heard: `${JSON.stringify(question)}: ${answer.approved ? 'yes' : 'no'}, ${answer.feedback}` };
}

/**
 * A newsletter: its draft is reviewed until it is approved, its title in the same node, then its layout and its links at the
 * same time, and last the mailing, in a graph within, twice in one node.
 */
export function newsletterGraph(checkpointer: BaseCheckpointSaver) {
  const mailing = new StateGraph(State)
    .addNode('confirm', () => {
      const to = ask('Send to everybody?');
      const when = ask({ at: 'noon', to: to.answer.feedback });
      return { heard: [to.heard, when.heard] };
    })
    .addEdge(START, 'confirm')
    .compile();
  return new StateGraph(State)
    .addNode('draft', ({ topic, heard }: Draft) => ({ text: `About ${topic}, draft ${heard.length + 1}` }))
    .addNode(
      'review',
      ({ text }: Draft) => {
        const draft = ask(text);
        if (!draft.answer.approved) return new Command({ goto: 'draft', update: { heard: [draft.heard] } });
        const title = ask(`Title for: ${text}`);
        return new Command({ goto: ['layout', 'links'], update: { heard: [draft.heard, title.heard] } });
      },
      { ends: ['draft', 'layout', 'links'] },
    )
    .addNode('layout', () => ({ heard: [ask('Two columns?').heard] }))
    .addNode('links', () => ({ heard: [ask('Three links?').heard] }))
    .addNode('mailing', mailing)
    .addEdge(START, 'draft')
    .addEdge('draft', 'review')
    .addEdge(['layout', 'links'], 'mailing')
    .addEdge('mailing', END)
    .compile({ checkpointer });
}
