// Serves a graph of LangGraph as a crew: https://docs.langchain.com/oss/javascript/langgraph/interrupts
import type { Crew } from '../coded-crew.ts';
import type { Decision, Performed } from '../crew-description.ts';
import type { CrewDefinition, InputsDefinition, InputsOf } from '../define-crew.ts';
import { asText, jsonOf } from '../json.ts';
import { type AgentsContext, crewOfAgents } from './crew-of-agents.ts';

/** A compiled graph, as far as it is used here. */
interface Graph<State> {
  readonly checkpointer?: unknown;
  invoke(input: never, options: GraphOptions): Promise<State>;
  getState(config: { configurable: { thread_id: string } }, options: { subgraphs: true }): Promise<GraphState>;
}

type GraphOptions = { configurable: { thread_id: string }; durability: 'sync'; signal: AbortSignal };

/** `createdAt` is missing where there is no checkpoint. */
type GraphState = {
  readonly next: readonly string[];
  readonly tasks: readonly GraphTask[];
  readonly createdAt?: string | undefined;
};

type GraphTask = {
  readonly name: string;
  readonly interrupts: readonly Interrupt[];
  /** Of the graph within, where the task is one. */
  readonly state?: unknown;
};

type Interrupt = { readonly id?: string | undefined; readonly value?: unknown };

type LangGraphCrew<Inputs extends InputsDefinition, State> = CrewDefinition<Inputs> & {
  /** LangGraph's own: `import { Command } from '@langchain/langgraph'`. */
  readonly Command: new (parts: {
    resume: Record<string, { approved: boolean; feedback: string }>;
  }) => object;
  /** What the graph is started with. Default: the inputs as they are. */
  readonly input?: (inputs: InputsOf<Inputs>) => object;
  /** What the crew puts out, of the state in which the graph has ended. Default: all of it. */
  readonly output?: (state: State) => unknown;
  /** How long the graph may work without asking people, before the execution fails. Default: 15 minutes. */
  readonly timeLimitMs?: number;
};

/**
 * A crew that runs a graph, in a thread with the id of the execution. What the graph asks by `interrupt(value)` becomes a request
 * for human input, named after the node, and is answered with `{ approved, feedback }`: what follows is up to the graph. If it
 * interrupts in the same node again after a rejection, that is the next round. Where several nodes wait at once, people are asked one after
 * another.
 *
 * The graph's checkpointer has to outlive the process: a restart goes on where the graph stands, and no decision is given to it
 * twice. Throws `TypeError` for a graph without a checkpointer.
 */
export function fromLangGraph<Inputs extends InputsDefinition, State>(
  graph: Graph<State>,
  { name, inputs, Command, input = asTheyAre, output = asItIs, timeLimitMs }: LangGraphCrew<Inputs, State>,
): Crew {
  if (typeof graph.checkpointer !== 'object')
    throw new TypeError(`The graph of the crew "${name}" needs a checkpointer: compile({ checkpointer }).`);

  /** Starts the graph, or goes on, until it asks people or ends. Rejects with what a node throws. */
  async function advance(context: AgentsContext<Inputs>): Promise<State> {
    const { inputs, executionId, decision, steps, signal } = context;
    const configurable = { thread_id: executionId };
    const invoke = (given: object | null) => graph.invoke(given as never, { configurable, durability: 'sync', signal });
    const state = await graph.getState({ configurable }, { subgraphs: true });
    const answer = decision && new Command({ resume: { [interruptOf(decision)]: wordsOf(decision) } });

    if (answer && state.createdAt === undefined)
      throw new Error('The checkpointer of the graph has forgotten this execution, so that it can’t go on.');
    if (steps.done.size === 0) {
      if (decision && !waiting(state).has(interruptOf(decision)))
        throw new Error('The graph no longer waits for this decision: something else has resumed it.');
      await steps.store({
        number: 0,
        report: { thought: decision ? 'Resume the graph' : 'Start the graph' },
        value: null,
      });
      return invoke(answer ?? input(inputs));
    }
    if (state.createdAt === undefined) return invoke(input(inputs));
    // An earlier try has ended somewhere on the way. By itself, the graph comes to what it waits for now.
    const reached = await invoke(null);
    const isUnanswered = interruptsIn(reached).some((one) => decision && isAbout(decision, one));
    return answer && isUnanswered ? invoke(answer) : reached;
  }

  return crewOfAgents(
    { name, inputs },
    {
      ...{ agent: name, timeLimitMs },
      async run(context): Promise<Performed> {
        const reached = await advance(context);
        const state = await graph.getState({ configurable: { thread_id: context.executionId } }, { subgraphs: true });
        const nodes = waiting(state);
        const interrupts = interruptsIn(reached);
        const calls = interrupts.flatMap(({ id }) =>
          id === undefined ? [] : { id, name: nodes.get(id) ?? name, agent: name },
        );
        const [interrupt] = interrupts;
        const [call] = calls;
        if (interrupt !== undefined && call !== undefined && interrupt.id === call.id) {
          const asked = textOf(interrupt);
          const kept = { interrupt: call.id, asked };
          return { question: { name: call.name, agent: name, output: asked, state: kept, calls, call: call.id } };
        }
        if (state.next.length > 0)
          throw new Error(
            `The graph has stopped at ${state.next.join(', ')} without interrupt(value): nobody can be asked.`,
          );
        return { output: jsonOf(output(reached), 'The output of the graph') };
      },
    },
  );
}

function asTheyAre<Inputs>(inputs: Inputs): object {
  return inputs as object;
}

function asItIs(state: unknown): unknown {
  return state;
}

function wordsOf({ approved, text }: Decision) {
  return { approved, feedback: text };
}

function interruptOf({ state }: Decision): string {
  return String(state.interrupt);
}

/** What runs before an interrupt in its node may ask something else the next time: that was not decided. */
function isAbout(decision: Decision, interrupt: Interrupt): boolean {
  return interrupt.id === interruptOf(decision) && textOf(interrupt) === decision.state.asked;
}

function textOf({ value }: Interrupt): string {
  return asText(jsonOf(value, 'What an interrupt asks'));
}

/** What the graph has come to wait for. */
function interruptsIn(reached: unknown): readonly Interrupt[] {
  return (reached as { __interrupt__?: readonly Interrupt[] } | null)?.__interrupt__ ?? [];
}

/** The nodes that wait, by the ids of their interrupts. A node in a graph within another one is named after both. */
function waiting({ tasks }: Pick<GraphState, 'tasks'>, outer: readonly string[] = []): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, interrupts, state } of tasks) {
    const path = [...outer, name];
    // What the inner graph says is newer.
    const within = waiting({ tasks: (state as Partial<GraphState> | undefined)?.tasks ?? [] }, path);
    for (const { id = '' } of within.size > 0 ? [] : interrupts) found.set(id, path.join('/'));
    for (const [id, node] of within) found.set(id, node);
  }
  return found;
}
