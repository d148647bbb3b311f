// Serves an agent of the OpenAI Agents SDK as a crew: https://openai.github.io/openai-agents-js/guides/human-in-the-loop/
import type { Crew } from '../coded-crew.ts';
import type { Decision, Performed } from '../crew-description.ts';
import type { CrewDefinition, InputsDefinition, InputsOf } from '../define-crew.ts';
import { isObject, jsonIn, jsonOf } from '../json.ts';
import { type AgentsContext, crewOfAgents } from './crew-of-agents.ts';

/** A tool call that waits for approval, as far as it is used here. */
type Interruption = {
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  readonly agent: { readonly name: string };
  readonly rawItem: object;
};

interface State {
  getInterruptions(): readonly Interruption[];
  approve(interruption: never): void;
  reject(interruption: never, options?: { message: string }): void;
  toString(): string;
}

interface Reached {
  readonly interruptions: readonly Interruption[];
  readonly finalOutput?: unknown;
  readonly state: State;
}

type RunOptions = {
  signal: AbortSignal;
  callModelInputFilter?: <Data>({ modelData }: { modelData: Data }) => Promise<Data>;
};

type OpenAIAgentsCrew<Agent, Inputs extends InputsDefinition> = CrewDefinition<Inputs> & {
  /** Returns the prompt for the agent. */
  readonly input: (inputs: InputsOf<Inputs>) => string;
  /** The SDK's own: `import { RunState, run } from '@openai/agents'`. */
  readonly run: (agent: Agent, input: never, options: RunOptions) => Promise<Reached>;
  readonly RunState: { fromString(agent: Agent, text: string): Promise<State> };
  /** The time that the agent may work without asking people, before the execution fails. Default: 15 minutes. */
  readonly timeLimitMs?: number;
};

/**
 * A crew that runs an agent. Each call of a tool that needs approval becomes a request for human input, named after the tool,
 * with the call's arguments: if the agent calls the tool again after a rejection, that is the next round. A rejection reaches the model with its
 * reason, an approval without its note. Where several calls wait at once, people are asked one after another.
 *
 * The state of the agent is kept with the execution, so that a restart goes on from the last model call. An approved call is
 * made once: if the process ends meanwhile, nobody knows whether it has worked, and people are asked whether to make it again.
 */
export function fromOpenAIAgents<Agent extends { readonly name: string }, Inputs extends InputsDefinition>(
  agent: Agent,
  { name, inputs, input, run, RunState, timeLimitMs }: OpenAIAgentsCrew<Agent, Inputs>,
): Crew {
  /** The agent works until it needs an approval or ends. Before each call of the model, its state is stored. */
  async function advance(from: string | State, { steps, signal }: AgentsContext<Inputs>, stored: number) {
    let number = stored;
    const reached = await run(agent, from as never, {
      signal,
      async callModelInputFilter({ modelData }) {
        const report = { thought: 'Ask the model', result: '' };
        if (typeof from !== 'string')
          await steps.store({ number: number++, report, value: { state: from.toString() } });
        return modelData;
      },
    });
    const [call] = reached.interruptions;
    return call ? questionFor(call, reached.state) : { output: jsonOf(reached.finalOutput, 'The output of the agent') };
  }

  /** Gives the agent a decision. */
  async function resume(decision: Decision, context: AgentsContext<Inputs>): Promise<Performed> {
    const { steps } = context;
    const stored = steps.done.size;
    const last = steps.done.get(stored - 1);
    if (isObject(last)) return advance(await RunState.fromString(agent, String(last.state)), context, stored);
    const state = await RunState.fromString(agent, String(decision.state.run));
    const call = state.getInterruptions().find((one) => idOf(one) === decision.state.call);
    if (call === undefined) throw new Error('The agent no longer has the tool call that was decided.');
    if (!decision.approved) {
      state.reject(call as never, ...reasonOf(decision));
      return advance(state, context, stored);
    }
    // It was approved in an earlier try, which has come no further.
    if (stored > 0) return questionFor(call, state, UNKNOWN);
    const { name = '' } = call;
    await steps.store({ number: 0, report: { thought: `Call ${name}`, tool: name }, value: null });
    state.approve(call as never);
    return advance(state, context, 1);
  }

  return crewOfAgents(
    { name, inputs },
    {
      ...{ agent: agent.name, timeLimitMs },
      run: (context) =>
        context.decision ? resume(context.decision, context) : advance(input(context.inputs), context, 0),
    },
  );
}

const UNKNOWN = 'It may have been made already: the process ended meanwhile. Approve to repeat it.';

function questionFor(call: Interruption, state: State, remark?: string): Performed {
  const name = nameOf(call);
  const question = `${name}${asCode(call.arguments)}`;
  const output = remark === undefined ? question : `${remark}\n\n${question}`;
  const calls = state.getInterruptions().map((one) => ({ id: idOf(one), name: nameOf(one), agent: one.agent.name }));
  const saved = { run: state.toString(), call: idOf(call) };
  return { question: { name, agent: call.agent.name, output, state: saved, calls, call: idOf(call) } };
}

function nameOf({ name }: Interruption): string {
  return name ?? 'tool';
}

/** Models give it; calls of hosted tools have only an `id`. */
function idOf({ rawItem }: Interruption): string {
  const { callId, id } = rawItem as { callId?: string; id?: string };
  return callId ?? id ?? '';
}

/** The SDK has words of its own for a rejection without a reason. */
function reasonOf({ text }: Decision): [] | [{ message: string }] {
  return text === '' ? [] : [{ message: text }];
}

/** A call that fits into one line is read at a glance. */
const LONGEST_LINE = 120;

/** JSON as Markdown's code, whose end nothing within it can be: on one line, or indented. */
function asCode(text: string | undefined = ''): string {
  const indented = JSON.stringify(jsonIn(text) ?? text, null, 2);
  const line = indented.replace(/\n */g, ' ');
  if (line.length > LONGEST_LINE) return `\n\`\`\`json\n${indented}\n\`\`\``;
  const marks = '`'.repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return ` ${marks}${line}${marks}`;
}
