import type { StepReport, TaskDescription, TokenUsage } from '../crew-description.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Completion, ToolCall } from './complete-chat.ts';
import { ModelError, type ModelSettings } from './model-server.ts';
import type { Tool } from './tool.ts';

type Question = {
  readonly prompt: string;
  /** Added to the instructions about the agent and the task. */
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  /** The number of calls after which the task fails. Default 20. */
  readonly maxToolCalls?: number;
  /** The agent's activity in the steps. Default: "Ask the model". */
  readonly thought?: string;
};

type Answer = {
  readonly text: string;
  /** False where the model stopped at its length limit. */
  readonly isWhole: boolean;
};

/** The model of the service, for the agent of a task. */
export interface Model {
  /** Undefined where the service has none. */
  readonly name: string | undefined;
  /**
   * Asks the model. Its turns and its calls of tools are steps: reported while they happen, and not repeated when the
   * task runs again. Rejects with a sentence for the people who review the task.
   */
  ask(question: Question): Promise<Answer>;
}

type ModelParts = {
  readonly settings: ModelSettings | undefined;
  /** The model's instructions about its agent and the task. */
  readonly role: string;
  readonly signal: AbortSignal;
  /** A step whose work may have used tokens. */
  readonly step: <Value extends Json>(
    report: StepReport,
    work: () => Promise<{
      readonly value: Value;
      /** The entry of the report. */
      readonly result: string;
      readonly usage?: TokenUsage | undefined;
    }>,
  ) => Promise<Value>;
  /** Reports without a checkpoint. */
  readonly tell: (report: StepReport) => Promise<void>;
};

const USUAL_CALLS = 20;

export function createModel({ settings, role, signal, step, tell }: ModelParts): Model {
  function turn(settings: ModelSettings, question: JsonObject, thought: string): Promise<Completion> {
    const report = { thought, tool: settings.name };
    return step(report, async () => {
      const onText = createToldText((text) => tell({ ...report, result: text }));
      // It needs an HTTP client, which most processes with code of crews never need.
      const { completeChat } = await import('./complete-chat.ts');
      const { completion, usage } = await completeChat({ settings, question, onText, signal });
      const { text, toolCalls } = completion;
      return { value: completion, usage, result: text || `Use ${toolCalls.map(({ name }) => name).join(', ')}` };
    });
  }

  function answerTo({ name, arguments: given }: ToolCall, tools: readonly Tool[]): Promise<string> {
    return step({ thought: `Use ${name}`, tool: name, toolInput: given }, async () => {
      const tool = tools.find((one) => one.name === name);
      const result = tool ? await tool.call(given, signal) : `Not called: there is no tool "${name}".`;
      return { value: result, result: result };
    });
  }

  return {
    name: settings?.name,
    async ask({ prompt, instructions = '', tools = [], maxToolCalls = USUAL_CALLS, thought = 'Ask the model' }) {
      if (settings === undefined)
        throw new ModelError('The service has no model: it needs OPENAI_BASE_URL and OPENAI_API_KEY.');
      const system = [role, instructions].filter((text) => text !== '').join('\n\n');
      const messages: JsonObject[] = [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ];
      const offered = tools.length === 0 ? {} : { tools: tools.map(({ definition }) => definition) };
      for (let calls = 0; ; ) {
        const { text, toolCalls, isWhole } = await turn(settings, { messages: [...messages], ...offered }, thought);
        if (toolCalls.length === 0) return { text, isWhole };
        calls += toolCalls.length;
        if (calls > maxToolCalls) throw new ModelError(`The model called tools ${calls} times without an answer.`);
        messages.push({ role: 'assistant', content: text, tool_calls: toolCalls.map(asSent) });
        for (const call of toolCalls)
          messages.push({ role: 'tool', tool_call_id: call.id, content: await answerTo(call, tools) });
      }
    },
  };
}

function asSent({ id, name, arguments: given }: ToolCall): JsonObject {
  return { id, type: 'function', function: { name, arguments: given } };
}

type Described = Pick<TaskDescription, 'agent' | 'role' | 'goal' | 'description' | 'expectedOutput'>;

/** Returns the model's instructions about the agent that it is, and about its task. */
export function agentRole({ agent, role, goal, description, expectedOutput }: Described): string {
  return [
    role === '' ? `You are ${agent}.` : `You are ${agent}: ${role}`,
    ...(goal === '' ? [] : [`Your goal: ${goal}`]),
    ...(description === '' ? [] : [`Your task: ${description}`]),
    ...(expectedOutput === '' ? [] : [`What you hand on: ${expectedOutput}`]),
  ].join('\n');
}

const SOONEST_MS = 1_000;
const MOST_EVENTS = 40;
const LONGEST_EVENT = 3_000;

/** Tells of a text while it is written: when a paragraph is whole, or each second; not of each word, nor without end. */
export function createToldText(
  tell: (text: string) => Promise<void>,
  now: () => number = Date.now,
): (added: string) => Promise<void> {
  let waiting = '';
  let toldAt = now();
  let events = 0;
  return async (added) => {
    if (events === MOST_EVENTS) return;
    waiting += added;
    const paragraphsEnd = waiting.lastIndexOf('\n\n');
    const end = paragraphsEnd > 0 ? paragraphsEnd : now() - toldAt >= SOONEST_MS ? waiting.length : 0;
    const text = waiting.slice(0, end).trim();
    if (text === '') return;
    waiting = waiting.slice(end);
    toldAt = now();
    events++;
    await tell(text.length > LONGEST_EVENT ? `${text.slice(0, LONGEST_EVENT)}…` : text);
  };
}
