import type { ModalView } from '@slack/types';
import type { Person } from '../../core/approval/approval.ts';
import type { Inputs } from '../../core/json.ts';
import type { Sharing } from '../api/channels.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { CommandLine, LineProblem, StartLine } from './command-line.ts';
import { lineProblems } from './command-problem-message.ts';
import { type FormRequest, fieldsOf, formView } from './form-view.ts';
import { pickFirst } from './pick-first.ts';
import { readGiven } from './read-given.ts';
import { startPlace } from './start-place.ts';
import { startRefusalMessage } from './start-refusal-text.ts';
import { findOffered, whyNotStart } from './why-not-start.ts';

/** How a command line goes on: with a form, a start or a message. */
type Plan =
  | { kind: 'form'; view: ModalView }
  | { kind: 'start'; crew: string; inputs: Inputs }
  | { kind: 'message'; message: Rendered };

/** Who typed a command line, and where. */
interface Typed {
  channel: string;
  by: Person;
  say: Say;
}

/** A line whose crew is known, or was picked for the person. */
interface PlannedLine extends StartLine {
  crew: string;
}

/**
 * Asks Slack whether the bot may post in this channel and the person may start the crew, and then the crew which inputs it
 * needs. A line that names only the crew opens its form, so that people see the defaults, unless there is nothing to fill in;
 * so does one that isn't understood whole, and any in a channel that others see. @throws {StoreUnavailable}
 */
export async function planStart(
  context: ListenerContext,
  line: Extract<CommandLine, { kind: 'form' | 'start' }>,
  typed: Typed,
): Promise<Plan> {
  const { problem, sharing } = await startPlace(context, typed.channel, typed.say);
  if (problem) return message(problem);
  const place = { ...typed, sharing };
  if (line.kind === 'start' && line.crew !== null) {
    const { crew } = line;
    const refusal = await whyNotStart(context, { crew, ...typed });
    return refusal ? message(startRefusalMessage(refusal, typed.say)) : planInputs(context, { ...line, crew }, place);
  }
  const first = await pickFirst(context, typed);
  if (!first.ok) return message(first.refusal);
  if (line.kind === 'start') return planInputs(context, { ...line, crew: first.value.crew }, place);
  return openForm(context, { ...first.value, ...place, values: {} });
}

async function planInputs(
  context: ListenerContext,
  line: PlannedLine,
  typed: Typed & { sharing: Sharing },
): Promise<Plan> {
  const { crew, values } = line;
  const answer = await fieldsOf(context, crew);
  const given = answer.kind === 'unknown' ? null : readGiven(values, answer.fields, typed.say);
  const problems = [...line.problems, ...unknownInputs(given?.unknown ?? [])];
  const isBare = Object.keys(values).length === 0 && answer.kind === 'fields' && answer.fields.length > 0;
  const isClear = problems.length === 0 && !isBare && typed.sharing === 'own';
  if (isClear && given && given.missing.length === 0 && Object.keys(given.wrong).length === 0)
    return { kind: 'start', crew, inputs: given.inputs };
  const offered = await findOffered(context, { crew, ...typed });
  if (!offered.ok) return message(startRefusalMessage(offered.refusal, typed.say));
  return openForm(context, {
    ...{ crew, crews: offered.value, ...typed, values: given?.inputs ?? {}, wrong: given?.wrong ?? {} },
    ...(problems.length > 0 && { problem: lineProblems(problems, typed.say) }),
  });
}

function unknownInputs(names: string[]): LineProblem[] {
  return names.length === 0 ? [] : [{ kind: 'unknown-inputs', names }];
}

async function openForm(
  context: ListenerContext,
  { say, ...request }: Omit<FormRequest, 'attempt'> & Typed,
): Promise<Plan> {
  return { kind: 'form', view: await formView(context, { ...request, attempt: 0 }, say) };
}

function message(rendered: Rendered): Plan {
  return { kind: 'message', message: rendered };
}
