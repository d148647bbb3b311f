// Serves a graph of LangGraph, or an agent of LangChain, as a crew: https://docs.langchain.com/oss/javascript/langgraph/interrupts
import type { Crew } from '../coded-crew.ts';
import type { Call, Decision, Performed, Question } from '../crew-description.ts';
import type { CrewDefinition, InputsDefinition, InputsOf } from '../define-crew.ts';
import { asText, type Json } from '../json.ts';
import { type AgentsContext, crewOfAgents } from './crew-of-agents.ts';
import {
  type Tool,
  type ToolCall,
  type ToolDecision,
  toolCallsIn,
  toolCallText,
  toolDecision,
  toolsOf,
  UnusableDecision,
  withReason,
} from './tool-calls.ts';
import { wholeJson } from './whole-json.ts';

/** A compiled graph, or an agent, as far as it is used here. */
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
  /** The name of the graph within, where the task is one. */
  readonly state?: unknown;
};

type Interrupt = { readonly id?: string | undefined; readonly value?: unknown };

/** People have decided this about an interrupt. They were shown `asked`, so that a node can check that it does just that. */
export type InterruptDecision = { readonly approved: boolean; readonly feedback: string; readonly asked: Json };

type LangGraphCrew<Inputs extends InputsDefinition, State> = CrewDefinition<Inputs> & {
  /** LangGraph's own: `import { Command } from '@langchain/langgraph'`. */
  readonly Command: new (parts: {
    resume: Record<string, unknown>;
  }) => object;
  /**
   * Returns what `interrupt(value)` returns in the node, or a promise of it. Default: the decision as it is. It isn't asked about the tool calls of LangChain's
   * agents. After a crash, it may be called again with the same decision.
   */
  readonly answer?: (decision: InterruptDecision) => unknown;
  /** The tools by which edited arguments are checked. Default: those of the agent. */
  readonly tools?: readonly Tool[];
  /** Returns the input with which the graph starts. Default: the inputs as they are. */
  readonly input?: (inputs: InputsOf<Inputs>) => object;
  /** Returns the output of the crew, made of the state in which the graph has ended. Default: all of it. */
  readonly output?: (state: State) => unknown;
  /** The time that the graph may work without asking people, before the execution fails. Default: 15 minutes. */
  readonly timeLimitMs?: number;
};

/**
 * A crew that runs a graph, in a thread with the id of the execution. What the graph asks by `interrupt(value)` becomes a request
 * for human input, named after the node, and is answered with `{ approved, feedback, asked }`, or with what `answer` makes of it: what follows
 * is up to the graph. If it interrupts in the same node again after a rejection, that is the next round. Where several nodes wait at once,
 * people are asked one after another.
 *
 * Each tool call that `humanInTheLoopMiddleware` holds back becomes a request, named after the tool. An approval makes the call, one with edits
 * the edited call, and a rejection reaches the model with its reason. If the middleware or the tool doesn't take that, people
 * are asked again and told why. LangChain makes none of the calls that wait together if one of them is rejected.
 *
 * The graph's checkpointer has to outlive the process: a restart goes on where the graph stands, and no decision is given to it
 * twice. Throws `TypeError` for a graph without a checkpointer.
 */
export function fromLangGraph<Inputs extends InputsDefinition, State>(
  graph: Graph<State>,
  {
    name,
    inputs,
    Command,
    answer = asItIs,
    tools,
    input = asTheyAre,
    output = asItIs,
    timeLimitMs,
  }: LangGraphCrew<Inputs, State>,
): Crew {
  if (typeof graph.checkpointer !== 'object')
    throw new TypeError(`The graph of the crew "${name}" needs a checkpointer: compile({ checkpointer }).`);

  /** Goes on with all decisions about an interrupt. */
  async function commandFor({ interrupt, asked, decisions }: Kept, { approved, text }: Decision): Promise<object> {
    // A node would take a promise for an approval.
    const value = toolCallsIn(asked) ? { decisions } : await answer({ approved, feedback: text, asked });
    // LangGraph would ask again, without end.
    if (value === undefined) throw new TypeError(`The \`answer\` of the crew "${name}" has returned nothing.`);
    return new Command({ resume: { [interrupt]: value } });
  }

  /** Starts the graph, or goes on with `decided`, until it asks people or ends. Rejects with what a node throws. */
  async function advance(context: AgentsContext<Inputs>, decided: Decided | undefined): Promise<State> {
    const { inputs, executionId, steps, signal } = context;
    const configurable = { thread_id: executionId };
    const invoke = (input: object | null) => graph.invoke(input as never, { configurable, durability: 'sync', signal });
    const state = await graph.getState({ configurable }, { subgraphs: true });

    if (decided && state.createdAt === undefined)
      throw new Error('The checkpointer of the graph has forgotten this execution, so that it can’t go on.');
    if (steps.done.size === 0) {
      if (decided && !waiting(state).has(decided.interrupt))
        throw new Error('The graph no longer waits for this decision: something else has resumed it.');
      await steps.store({
        number: 0,
        report: { thought: decided ? 'Resume the graph' : 'Start the graph' },
        value: null,
      });
      return invoke(decided ? await decided.command() : input(inputs));
    }
    if (state.createdAt === undefined) return invoke(input(inputs));
    // An earlier try has ended somewhere on the way. By itself, the graph comes to what it waits for now.
    const reached = await invoke(null);
    const isUnanswered = interruptsIn(reached).some((one) => decided && isAbout(decided, one));
    return decided && isUnanswered ? invoke(await decided.command()) : reached;
  }

  return crewOfAgents(
    { name, inputs },
    {
      ...{ agent: name, timeLimitMs },
      async run(context): Promise<Performed> {
        const { decision } = context;
        const saved = decision && (await withDecision(decision, tools ?? toolsOf(graph)));
        if (saved?.next) return { question: questionFor(saved, saved.next) };
        const decided = decision && saved && { ...saved, command: () => commandFor(saved, decision) };
        const reached = await advance(context, decided);
        const state = await graph.getState({ configurable: { thread_id: context.executionId } }, { subgraphs: true });
        const nodes = waiting(state);
        const [first, ...later] = interruptsIn(reached).flatMap(({ id, value }) =>
          id === undefined ? [] : waitingIn({ id, node: nodes.get(id) ?? name, asked: shown(value), agent: name }),
        );
        if (first !== undefined) {
          const { interrupt, asked, call } = first;
          return { question: questionFor({ interrupt, asked, decisions: [], calls: [call, ...later.map(callOf)] }) };
        }
        if (state.next.length > 0)
          throw new Error(
            `The graph has stopped at ${state.next.join(', ')} without interrupt(value): nobody can be asked.`,
          );
        return { output: wholeJson(output(reached), 'The output of the graph') };
      },
    },
  );
}

function asTheyAre<Inputs>(inputs: Inputs): object {
  return inputs as object;
}

function asItIs(value: unknown): unknown {
  return value;
}

/** Kept with a question, as JSON: it comes back with the decision. */
type Kept = {
  readonly interrupt: string;
  /** The value of the interrupt. */
  readonly asked: Json;
  /** The decisions about the interrupt's earlier tool calls, in their order. */
  readonly decisions: readonly ToolDecision[];
  /** All that waits: the call that is asked about comes first. */
  readonly calls: readonly Call[];
};

/** An interrupt with all its decisions. */
type Decided = Pick<Kept, 'interrupt' | 'asked'> & {
  /** Resumes the graph. */
  command(): Promise<object>;
};

type Waiting = Pick<Kept, 'interrupt' | 'asked'> & { readonly call: Call };

/** An interrupt waits for one decision, or for one about each of its tool calls. */
function waitingIn({ id, node, asked, agent }: { id: string; node: string; asked: Json; agent: string }): Waiting[] {
  const calls = toolCallsIn(asked)?.map((call, index) => ({ id: `${id}/${index}`, name: call.name, agent }));
  return (calls ?? [{ id, name: node, agent }]).map((call) => ({ interrupt: id, asked, call }));
}

function callOf({ call }: Waiting): Call {
  return call;
}

/** Adds a decision about a tool call to what is kept. People are asked about `next` before the graph goes on. */
async function withDecision(
  decision: Decision,
  tools: readonly Tool[],
): Promise<Kept & { readonly next: ToolCall | undefined }> {
  // It comes from `questionFor`.
  const saved = decision.state as Kept;
  const calls = toolCallsIn(saved.asked);
  const call = calls?.[saved.decisions.length];
  if (calls === undefined || call === undefined) return { ...saved, next: undefined };
  try {
    const decisions = [...saved.decisions, await toolDecision(call, decision, tools)];
    return { ...saved, decisions, calls: saved.calls.slice(1), next: calls[decisions.length] };
  } catch (error) {
    if (!(error instanceof UnusableDecision)) throw error;
    return { ...saved, next: withReason(call, error) };
  }
}

/** Asks about the first of all calls that wait, which is `toolCall` where it is one of several, or is asked about again. */
function questionFor(
  { interrupt, asked, decisions, calls }: Kept,
  toolCall: ToolCall | undefined = toolCallsIn(asked)?.[0],
): Question {
  const [call] = calls;
  if (call === undefined) throw new RangeError('Nothing waits for people.');
  return {
    ...{ name: call.name, agent: call.agent, calls, call: call.id },
    output: toolCall ? toolCallText(toolCall) : asText(asked),
    state: { interrupt, asked, decisions, calls },
  };
}

/** Returns true if the decision is about this interrupt. A node repeats the code before it, and may ask something else the next time. */
function isAbout({ interrupt, asked }: Decided, { id, value }: Interrupt): boolean {
  return id === interrupt && asText(shown(value)) === asText(asked);
}

function shown(value: unknown): Json {
  return wholeJson(value, 'What an interrupt asks');
}

function interruptsIn(reached: unknown): readonly Interrupt[] {
  return (reached as { __interrupt__?: readonly Interrupt[] } | null)?.__interrupt__ ?? [];
}

/** The nodes that wait, by the ids of their interrupts. A node in a graph within another one is named after both. */
function waiting({ tasks }: Pick<GraphState, 'tasks'>, outer: readonly string[] = []): Map<string, string> {
  const byNode = new Map<string, string>();
  for (const { name, interrupts, state } of tasks) {
    const path = [...outer, name];
    // The inner graph's words are newer.
    const within = waiting({ tasks: (state as Partial<GraphState> | undefined)?.tasks ?? [] }, path);
    for (const { id = '' } of within.size > 0 ? [] : interrupts) byNode.set(id, path.join('/'));
    for (const [id, node] of within) byNode.set(id, node);
  }
  return byNode;
}
