import type { ModalView } from '@slack/types';
import type { Person } from '../../core/approval/approval.ts';
import type { Inputs } from '../../core/json.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { CommandLine } from './command-line.ts';
import { readGiven } from './command-line.ts';
import { commandProblemMessage } from './command-problem-message.ts';
import { fieldsOf, formView } from './form-view.ts';
import { pickFirst } from './pick-first.ts';
import { startRefusalMessage } from './start-refusal-text.ts';
import { whyNotHere } from './why-not-here.ts';
import { findOffered, whyNotStart } from './why-not-start.ts';

export type StartLine = Extract<CommandLine, { kind: 'form' | 'start' }>;

/** How a command line goes on: with a form, a start or a message. */
type Plan =
  | { kind: 'form'; view: ModalView }
  | { kind: 'start'; crew: string; inputs: Inputs }
  | { kind: 'message'; message: Rendered };

/** Who typed a command line, and where. */
interface Typed {
  channel: string;
  by: Person;
}

/**
 * Asks Slack whether the bot may post in this channel and the person may start the crew, and then the crew which inputs it
 * needs. A line that names only the crew opens its form, so that people see the defaults, unless there is nothing to fill in.
 * @throws {StoreUnavailable}
 */
export async function planStart(context: ListenerContext, line: StartLine, typed: Typed): Promise<Plan> {
  const problem = await whyNotHere(context, typed.channel);
  if (problem) return message(problem);
  if (line.kind === 'form') {
    const first = await pickFirst(context, typed);
    return first.ok ? openForm(context, { ...first.value, ...typed }, {}) : message(first.refusal);
  }
  const { crew } = line;
  const refusal = await whyNotStart(context, { crew, ...typed });
  if (refusal) return message(startRefusalMessage(refusal));
  return planInputs(context, line, typed);
}

async function planInputs(
  context: ListenerContext,
  { crew, values }: Extract<StartLine, { kind: 'start' }>,
  typed: Typed,
): Promise<Plan> {
  const answer = await fieldsOf(context, crew);
  const given = answer.kind === 'unknown' ? null : readGiven(values, answer.fields);
  if (given && !given.ok) return message(commandProblemMessage(given.refusal, [...context.crews.keys()]));
  const isBare = Object.keys(values).length === 0 && answer.kind === 'fields' && answer.fields.length > 0;
  if (given && given.value.missing.length === 0 && !isBare) return { kind: 'start', crew, inputs: given.value.inputs };
  const offered = await findOffered(context, { crew, ...typed });
  if (!offered.ok) return message(startRefusalMessage(offered.refusal));
  return openForm(context, { crew, crews: offered.value, ...typed }, given?.value.inputs ?? {});
}

async function openForm(
  context: ListenerContext,
  { crew, crews, channel }: { crew: string; crews: string[]; channel: string },
  values: Inputs,
): Promise<Plan> {
  const view = await formView(context, { crew, crews, channel, attempt: 0, values, missing: [] });
  return { kind: 'form', view };
}

function message(rendered: Rendered): Plan {
  return { kind: 'message', message: rendered };
}
