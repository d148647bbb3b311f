// Asking people something that no run of a crew has asked, by the rules of a crew.
import { headingOf } from '../../core/about.ts';
import type { Destination, Person } from '../../core/approval/approval.ts';
import { ask } from '../../core/approval/request.ts';
import type { RulesOf } from '../../core/crew.ts';
import type { HumanInputRequest } from '../../core/execution/events.ts';
import { startAsk } from '../../core/execution/start.ts';
import type { Inputs } from '../../core/json.ts';
import type { ExecutionStore, OutputStore } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';

interface AskPorts {
  executions: Pick<ExecutionStore, 'create'>;
  outputs: Pick<OutputStore, 'put'>;
  rulesOf: RulesOf;
  /** The longest text that people can read in Slack, in UTF-16 code units; a longer one is attached as a file. */
  readableLength: number;
}

/** One thing to ask, of a length that fits into the limits of a run. */
export interface Ask {
  ref: string;
  /** Whose rules say who decides. */
  crew: string;
  /** The id of a channel. */
  channel: string;
  /** On whose behalf; null if nobody in Slack has asked. */
  by: Person | null;
  /** What the card and lists call it, and what a policy's `tasks` match. One line. */
  title: string;
  /** Markdown. */
  text: string;
  /** What rules may depend on. */
  inputs: Inputs;
  outcomes: readonly string[] | null;
  destination: Destination;
  limitMs: Millis | null;
}

/** Asks people, unless this ref has asked already. Throws `StoreUnavailable`. */
export async function openAsk(
  { executions, outputs, rulesOf, readableLength }: AskPorts,
  { ref, crew, channel, by, inputs, title, text, ...asked }: Ask,
): Promise<'created' | 'exists'> {
  const output = await outputs.put(ref, text);
  const request: HumanInputRequest = {
    hop: 0,
    kickoffId: null,
    executionId: null,
    taskId: 'ask',
    taskName: title,
    output,
    heading: headingOf(text),
    attachesFile: output.length > readableLength,
    ...asked,
  };
  return executions.create(ref, (now) => {
    const started = startAsk({ ref, crew, channel, by, inputs }, now);
    const opened = ask(started, request, now, rulesOf(crew));
    if (!opened.ok) throw new RangeError('The text is longer than a run may have.');
    return opened.value;
  });
}
