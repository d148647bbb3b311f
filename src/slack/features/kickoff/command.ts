import type { ModalView } from '@slack/types';
import type { Inputs } from '../../../core/values/json.ts';
import type { Sharing } from '../../api/channels.ts';
import type { Say } from '../../language/say.ts';
import { answerCommand, ephemeral } from '../../listening/answers.ts';
import type { CommandArgs, CommandListener, ListenerContext } from '../../listening/context.ts';
import { openWhileWaiting, showWhenReady, tooLateText, updateModal } from '../../listening/modals.ts';
import type { Rendered } from '../../ui/blocks.ts';
import { matchInputs } from '../../ui/input-values.ts';
import { answerMessage, modalOf } from '../../ui/modal.ts';
import { channelStatus } from '../run/status.ts';
import { onConnectCommand, onDisconnectCommand } from '../tokens/listeners.ts';
import { type CommandLine, parseCommandLine, type StartLine } from './command-line.ts';
import { type FormRequest, fieldsOf, formView, unchosenForm } from './form.ts';
import { commandProblemMessage, lineProblems, onHelpCommand } from './help.ts';
import { findFirstOffered, findOffered, whyNotStart } from './permits.ts';
import { loadingModal } from './progress.ts';
import { startCrew, startPlace, tellStart } from './start.ts';
import { noneToStartMessage, startRefusalMessage } from './trouble.ts';
import { whoCan } from './who.ts';

// The listener of `/kickoff`.

/** Answers `/kickoff`: with a message, by starting a crew, or by opening its form. */
export const onKickoffCommand: CommandListener = async (args) => {
  const { ack, command, context } = args;
  const crews = [...context.crews.keys()];
  const line = parseCommandLine(command.text, crews);
  const isStart = line.ok && (line.value.kind === 'form' || line.value.kind === 'start');
  // A crew may let people from outside the workspace start it. They can do nothing else.
  const say = await context.say();
  if (!isStart && !(await context.isMember())) return ack(ephemeral(answerMessage(say('denial.stranger'))));
  if (!line.ok) return ack(ephemeral(commandProblemMessage(line.refusal, crews, say)));
  const { channel_id: channel } = command;
  switch (line.value.kind) {
    case 'help':
      return onHelpCommand(args, { crew: line.value.crew, say });
    case 'status':
      return ack(ephemeral(await channelStatus(context, channel)));
    case 'who':
      return ack(ephemeral(await whoCan(context, { crew: line.value.crew, channel })));
    case 'stats':
      return ack(ephemeral(answerMessage(say('line.stats'))));
    case 'connect':
      return onConnectCommand(args, line.value.crew);
    case 'disconnect':
      return onDisconnectCommand(args, line.value.crew);
    case 'form':
    case 'start':
      return carryOut(args, { line: line.value, say });
  }
};

type KickoffLine = Extract<CommandLine, { kind: 'form' | 'start' }>;

/** Plans and carries out a start. While Slack or the crew is slow, acknowledges the command and shows a loading modal. */
async function carryOut(args: CommandArgs, { line, say }: { line: KickoffLine; say: Say }): Promise<void> {
  const { command, context } = args;
  const { trigger_id: triggerId, channel_id: channel } = command;
  const answer = answerOnce(args);
  const loadingView = loadingModal(line.kind === 'start' ? line.crew : null, say);
  const loading = { triggerId, loading: loadingView, onSlow: () => answer.give(null) };
  const plan = planStart(context, line, { channel, say }).catch((error: unknown) => ({
    kind: 'failed' as const,
    error,
  }));
  const { value: planned, modal, isRepeat } = await openWhileWaiting(context, loading, plan);
  const tell = async (message: Rendered) => {
    const isShown =
      modal !== null && (await updateModal(context, modal, modalOf(say, { title: say('start.title'), ...message })));
    await answer.give(isShown ? null : message);
  };
  // Slack itself shows the person an error if there is no ack.
  const fail = async (error: unknown): Promise<never> => {
    if (answer.isGiven()) await tell(answerMessage(say('start.maybe-not-stored')));
    throw error;
  };
  switch (planned.kind) {
    case 'failed':
      return fail(planned.error);
    case 'message':
      return tell(planned.message);
    case 'form': {
      await answer.give(null);
      const outcome = await showWhenReady(context, { triggerId, modal }, planned.view);
      if (outcome !== 'shown' && outcome !== 'closed') await tell(answerMessage(tooLateText(outcome, say)));
      return;
    }
    case 'start': {
      const { crew, inputs } = planned;
      const seed = { triggerId, form: modal && { viewId: modal.viewId, attempt: 0 } };
      const ref = await startCrew(context, { crew, channel, inputs, seed }).catch(fail);
      // The delivery that has the modal shows how the start went. If its process died, the notice to the starter does.
      if (isRepeat) return answer.give(null);
      const message = await tellStart(context, { ref, crew, triggerId, modal }, say);
      return answer.give(message);
    }
  }
}

interface Answer {
  /** Gives the answer as the acknowledgment, or after it in a message of its own; null acknowledges without words. */
  give: (message: Rendered | null) => Promise<void>;
  isGiven: () => boolean;
}

function answerOnce(args: CommandArgs): Answer {
  let acknowledged: Promise<void> | null = null;
  return {
    give: async (message) => {
      if (acknowledged && message) return answerCommand(args, message);
      acknowledged ??= args.ack(message ? ephemeral(message) : undefined);
      return acknowledged;
    },
    isGiven: () => acknowledged !== null,
  };
}

type Plan =
  | { kind: 'form'; view: ModalView }
  | { kind: 'start'; crew: string; inputs: Inputs }
  | { kind: 'message'; message: Rendered };

interface Typed {
  channel: string;
  say: Say;
}

interface PlannedLine extends StartLine {
  crew: string;
}

/**
 * Asks Slack whether the bot may post in the channel and the person may start the crew, then asks the crew for its inputs. The form opens if
 * the line names only a crew that needs inputs, so that people see the defaults; if the line has problems; or if people outside the
 * workspace see the channel. If the line names no crew, a person has to choose one.
 * @throws {StoreUnavailable}
 */
async function planStart(context: ListenerContext, line: KickoffLine, typed: Typed): Promise<Plan> {
  const { problem: trouble, sharing } = await startPlace(context, typed.channel, typed.say);
  if (trouble) return message(trouble);
  const place = { ...typed, sharing };
  if (line.kind === 'start' && line.crew !== null) {
    const { crew } = line;
    const refusal = await whyNotStart(context, { crew, ...typed });
    return refusal ? message(startRefusalMessage(refusal, typed.say)) : planInputs(context, { ...line, crew }, place);
  }
  const first = await findFirstOffered(context, typed.channel);
  if (!first.ok) return message(noneToStartMessage(first.refusal, typed.say));
  if (line.kind === 'form') return openForm(context, { ...first.value, ...place });
  const { crews } = first.value;
  const problem = lineProblems(line.problems, typed.say);
  return { kind: 'form', view: unchosenForm(context, { ...place, crews, typed: line.values, problem }, typed.say) };
}

async function planInputs(
  context: ListenerContext,
  line: PlannedLine,
  typed: Typed & { sharing: Sharing },
): Promise<Plan> {
  const { crew, values, problems } = line;
  const answer = await fieldsOf(context, crew);
  const match = answer.kind === 'unknown' ? null : matchInputs(values, answer.fields, typed.say);
  const isBare = Object.keys(values).length === 0 && answer.kind === 'fields' && answer.fields.length > 0;
  const isClear = problems.length === 0 && !isBare && typed.sharing === 'own';
  if (isClear && match && match.missing.length + match.unknown.length + Object.keys(match.wrong).length === 0)
    return { kind: 'start', crew, inputs: match.inputs };
  const offered = await findOffered(context, { crew, ...typed });
  if (!offered.ok) return message(startRefusalMessage(offered.refusal, typed.say));
  return openForm(context, {
    crew,
    crews: offered.value,
    ...typed,
    typed: values,
    ...(problems.length > 0 && { problem: lineProblems(problems, typed.say) }),
  });
}

async function openForm(
  context: ListenerContext,
  { say, ...request }: Omit<FormRequest, 'attempt' | 'values'> & Typed,
): Promise<Plan> {
  return { kind: 'form', view: await formView(context, { ...request, attempt: 0, values: {} }, say) };
}

function message(rendered: Rendered): Plan {
  return { kind: 'message', message: rendered };
}
