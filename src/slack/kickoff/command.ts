import type { AckFn, RespondArguments, RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Inputs } from '../../core/json.ts';
import type { SlashCommand } from '../interaction/command.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { channelStatus } from '../run/channel-status.ts';
import { answerMessage, modalOf } from '../ui/answer-modal.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { CommandLine } from './command-line.ts';
import { parseCommandLine, readGiven } from './command-line.ts';
import { commandProblemMessage } from './command-problem-message.ts';
import type { Shown } from './form-window.ts';
import { fieldsOf, formView, openView, patiently, TOO_LATE, updateView } from './form-window.ts';
import { helpMessage } from './help-message.ts';
import { startingModal } from './progress-modals.ts';
import { startCrew } from './start-crew.ts';
import { whyNotHere } from './why-not-here.ts';

interface Answers {
  ack: AckFn<string | RespondArguments>;
  respond: RespondFn;
}

/** What becomes of a command line once the crew has said what it needs. */
type Prepared =
  | { kind: 'ask'; view: ModalView }
  | { kind: 'start'; inputs: Inputs }
  | { kind: 'say'; message: Rendered };

/** Answers `/kickoff`, in all its forms. */
export async function onKickoffCommand(
  context: ListenerContext,
  command: SlashCommand,
  { ack, respond }: Answers,
): Promise<void> {
  const crews = [...context.crews.keys()];
  const line = parseCommandLine(command.text, crews);
  if (!line.ok) return ack(privately(commandProblemMessage(line.refusal, crews)));
  switch (line.value.kind) {
    case 'help':
      return ack(privately(helpMessage(crews)));
    case 'status':
      return ack(privately(await channelStatus(context, command.channel)));
    case 'form':
      return begin(context, command, {
        ack: once(ack),
        respond,
        crew: crews[0] ?? '',
        prepare: (crew) => prepareForm(context, command, crew),
      });
    case 'start': {
      const { crew, values } = line.value;
      const prepare = () => prepareStart(context, command, { crew, values });
      return begin(context, command, { ack: once(ack), respond, crew, prepare });
    }
  }
}

const NOT_STORED =
  'Signoff can’t store anything right now, so this was probably not started. If no thread appears here within a minute, please try again.';

interface Begun {
  /** May be called again. */
  ack: () => Promise<void>;
  respond: RespondFn;
  crew: string;
  prepare: (crew: string) => Promise<Prepared>;
}

/** A start is acknowledged once it is stored; where the crew is slow, what is shown meanwhile takes its place. */
async function begin(
  context: ListenerContext,
  command: SlashCommand,
  { ack, respond, crew, prepare }: Begun,
): Promise<void> {
  const wanted = whyNotHere(context, command.channel).then((message): Prepared | Promise<Prepared> =>
    message ? { kind: 'say', message } : prepare(crew),
  );
  let isAcknowledged = false;
  const onSlow = () => {
    isAcknowledged = true;
    return ack();
  };
  const { value, shown } = await patiently(context, { triggerId: command.triggerId, crew, onSlow }, wanted);
  const say = async (message: Rendered) => {
    if (!shown || !(await updateView(context, shown, modalOf('Start a crew', message))))
      await respond(privately(message));
  };
  if (value.kind !== 'start') await ack();
  switch (value.kind) {
    case 'say':
      return say(value.message);
    case 'ask': {
      const seen = shown
        ? await updateView(context, shown, value.view)
        : (await openView(context, command.triggerId, value.view)) !== null;
      if (!seen && !shown) await respond(privately(answerMessage(TOO_LATE)));
      return;
    }
    case 'start':
      try {
        await start(context, command, { crew, inputs: value.inputs, shown });
      } catch (error) {
        // Else Slack itself tells the person.
        if (isAcknowledged) await say(answerMessage(NOT_STORED));
        throw error;
      }
      return ack();
  }
}

/** The whole line is there: the crew starts, and a modal that was opened meanwhile says so. */
async function start(
  context: ListenerContext,
  command: SlashCommand,
  { crew, inputs, shown }: { crew: string; inputs: Inputs; shown: Shown | null },
): Promise<void> {
  const { triggerId, channel, actor } = command;
  // The same command delivered again finds its trigger used, and so has no modal.
  const seed = { triggerId, form: shown && { viewId: shown.viewId, attempt: 0 } };
  const ref = await startCrew(context, { crew, channel, by: actor.person, inputs, seed });
  if (shown) await updateView(context, shown, startingModal(crew));
  context.wake(ref);
}

async function prepareForm(context: ListenerContext, { channel }: SlashCommand, crew: string): Promise<Prepared> {
  return { kind: 'ask', view: await formView(context, { crew, channel, attempt: 0, values: {}, missing: [] }) };
}

/** A line that names only the crew opens its form, defaults and all, unless there is nothing to fill in. */
async function prepareStart(
  context: ListenerContext,
  { channel }: SlashCommand,
  { crew, values }: Pick<Extract<CommandLine, { kind: 'start' }>, 'crew' | 'values'>,
): Promise<Prepared> {
  const request = { crew, channel, attempt: 0, missing: [] };
  const answer = await fieldsOf(context, crew);
  if (answer.kind === 'unknown') return { kind: 'ask', view: await formView(context, { ...request, values: {} }) };
  const given = readGiven(values, answer.fields);
  if (!given.ok) return { kind: 'say', message: commandProblemMessage(given.refusal, [...context.crews.keys()]) };
  const { inputs, missing } = given.value;
  const isBare = Object.keys(values).length === 0 && answer.fields.length > 0;
  if (missing.length === 0 && !isBare) return { kind: 'start', inputs };
  return { kind: 'ask', view: await formView(context, { ...request, values: inputs }) };
}

function privately(message: Rendered): RespondArguments {
  return { response_type: 'ephemeral', ...message };
}

/** Slack takes one acknowledgment of each request. */
function once(ack: Answers['ack']): () => Promise<void> {
  let acknowledged: Promise<void> | null = null;
  return () => {
    acknowledged ??= ack();
    return acknowledged;
  };
}
