import type { ModalView } from '@slack/types';
import type { Inputs } from '../../core/json.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { CommandLine } from './command-line.ts';
import { readGiven } from './command-line.ts';
import { commandProblemMessage } from './command-problem-message.ts';
import { fieldsOf, formView } from './form-view.ts';
import { whyNotHere } from './why-not-here.ts';

type StartLine = Extract<CommandLine, { kind: 'form' | 'start' }>;

/** How a command line goes on: with a form, a start or a message. */
export type Plan =
  | { kind: 'form'; view: ModalView }
  | { kind: 'start'; inputs: Inputs }
  | { kind: 'message'; message: Rendered };

/**
 * Asks Slack whether the bot may post in this channel, and the crew which inputs it needs. A line that names only the crew
 * opens its form, so that people see the defaults, unless there is nothing to fill in.
 */
export async function planStart(
  context: ListenerContext,
  line: StartLine,
  { crew, channel }: { crew: string; channel: string },
): Promise<Plan> {
  const problem = await whyNotHere(context, channel);
  if (problem) return { kind: 'message', message: problem };
  const form = async (values: Inputs): Promise<Plan> => ({
    kind: 'form',
    view: await formView(context, { crew, channel, attempt: 0, values, missing: [] }),
  });
  if (line.kind === 'form') return form({});
  const answer = await fieldsOf(context, crew);
  if (answer.kind === 'unknown') return form({});
  const given = readGiven(line.values, answer.fields);
  if (!given.ok) return { kind: 'message', message: commandProblemMessage(given.refusal, [...context.crews.keys()]) };
  const { inputs, missing } = given.value;
  const isBare = Object.keys(line.values).length === 0 && answer.fields.length > 0;
  return missing.length === 0 && !isBare ? { kind: 'start', inputs } : form(inputs);
}
