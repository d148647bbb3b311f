// Opens a request for a program or a workflow, by the rules of a crew.

import type { Ask, HumanInputRequest } from '../../core/execution/events.ts';
import { startAsk } from '../../core/execution/start.ts';
import type { RulesOf } from '../../core/policy/crew.ts';
import type { ExecutionStore, OutputStore } from '../../core/ports.ts';
import { ask } from '../../core/request/ask.ts';
import { headingOf } from '../../core/state/about.ts';
import { type Execution, requestOfAsk } from '../../core/state/execution.ts';
import { DAY_MS } from '../../core/values/time.ts';

/** A program's request waits this long unless it or the rules set a limit, since the program may be gone for good. */
export const DEFAULT_LIMIT_MS = DAY_MS;

interface AskPorts {
  executions: Pick<ExecutionStore, 'create'>;
  outputs: Pick<OutputStore, 'put'>;
  rulesOf: RulesOf;
  /** The longest text that people can read in Slack, in UTF-16 code units; a longer one is attached as a file. */
  readableLength: number;
}

/** Asks people, unless this ref has asked already. Throws `StoreUnavailable`. */
export async function openAsk(
  { executions, outputs, rulesOf, readableLength }: AskPorts,
  { ref, crew, channel, asker, by, inputs, step, thread = null, title, text, ...question }: Ask,
): Promise<'created' | 'exists'> {
  const output = await outputs.put(ref, text);
  const request: HumanInputRequest = {
    hop: 0,
    kickoffId: null,
    executionId: null,
    taskId: 'ask',
    taskName: title,
    isTitled: true,
    output,
    heading: headingOf(text),
    attachesFile: output.length > readableLength,
    ...question,
  };
  return executions.create(ref, (now) => {
    const started = startAsk({ ref, crew, channel, asker, by, inputs, thread, ...(step && { step }) }, now);
    const opened = withinLimits(ask(started, request, now, rulesOf(crew)));
    const isEndless = step === undefined && requestOfAsk(opened)?.discussion.times.expireAt === null;
    if (!isEndless) return opened;
    return withinLimits(ask(started, { ...request, limitMs: DEFAULT_LIMIT_MS }, now, rulesOf(crew)));
  });
}

function withinLimits(result: ReturnType<typeof ask>): Execution {
  if (!result.ok) throw new RangeError('The text is longer than a run may have.');
  return result.value;
}
