import type { Inputs } from '../../core/json.ts';
import { isMember } from '../interaction/actor.ts';
import { answerCommand } from '../interaction/answer-command.ts';
import type { AckCommand } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ModalKey } from '../interaction/modals.ts';
import { openWhileWaiting, showWhenReady, updateModal } from '../interaction/modals.ts';
import type { SlashCommand } from '../interaction/slash-command.ts';
import { channelStatus } from '../run/channel-status.ts';
import { onConnectCommand, onDisconnectCommand } from '../tokens/commands.ts';
import { answerMessage, modalOf } from '../ui/answer-modal.ts';
import type { Rendered } from '../ui/blocks.ts';
import { parseCommandLine } from './command-line.ts';
import { commandProblemMessage } from './command-problem-message.ts';
import { TOO_LATE } from './form-view.ts';
import { helpMessage } from './help-message.ts';
import { planStart, type StartLine } from './plan.ts';
import { loadingModal, startingModal } from './progress-modals.ts';
import { startCrew } from './start-crew.ts';
import { whoCan } from './who/who-can.ts';

const NOT_STORED =
  'Signoff can’t store anything right now, so this was probably not started. If no thread appears here within a minute, please try again.';

/** Answers `/kickoff`: with a message right away, or by working out how a start goes on. */
export async function onKickoffCommand(
  context: ListenerContext,
  command: SlashCommand,
  ack: AckCommand,
): Promise<void> {
  const crews = [...context.crews.keys()];
  const line = parseCommandLine(command.text, crews);
  const isStart = line.ok && (line.value.kind === 'form' || line.value.kind === 'start');
  // A crew may name people from outside the workspace as its starters; nothing else is for them.
  if (!isStart && !(await isMember(context, command.actor)))
    return ack(privately(answerMessage((await context.say())('denial.stranger'))));
  if (!line.ok) return ack(privately(commandProblemMessage(line.refusal, crews)));
  const where = { channel: command.channel, by: command.actor.person };
  switch (line.value.kind) {
    case 'help':
      return ack(privately(helpMessage(crews)));
    case 'status':
      return ack(privately(await channelStatus(context, where.channel)));
    case 'who':
      return ack(privately(await whoCan(context, { crew: line.value.crew, ...where })));
    case 'connect':
      return onConnectCommand(context, command, { crew: line.value.crew, ack });
    case 'disconnect':
      return onDisconnectCommand(context, command, { crew: line.value.crew, ack });
    case 'form':
    case 'start':
      return carryOut(context, command, { line: line.value, ack });
  }
}

/** While Slack or the crew is slow, the command is acknowledged and a loading modal takes the place of the answer. */
async function carryOut(
  context: ListenerContext,
  command: SlashCommand,
  { line, ack }: { line: StartLine; ack: AckCommand },
): Promise<void> {
  const { triggerId, channel, actor } = command;
  const acknowledgment = acknowledgeOnce(ack);
  const crew = line.kind === 'start' ? line.crew : null;
  const loading = { triggerId, loading: loadingModal(crew), onSlow: acknowledgment.send };
  const plan = planStart(context, line, { channel, by: actor.person }).catch((error: unknown) => ({
    kind: 'failed' as const,
    error,
  }));
  const { value: planned, modal } = await openWhileWaiting(context, loading, plan);
  const say = async (message: Rendered) => {
    const view = modalOf(await context.say(), { title: 'Start a crew', ...message });
    const isShown = modal !== null && (await updateModal(context, modal, view));
    if (!isShown) await answerCommand(context, command, message);
  };
  // Without an ack, Slack itself shows the person an error.
  const fail = async (error: unknown): Promise<never> => {
    if (acknowledgment.isSent()) await say(answerMessage(NOT_STORED));
    throw error;
  };
  switch (planned.kind) {
    case 'failed':
      return fail(planned.error);
    case 'message':
      await acknowledgment.send();
      return say(planned.message);
    case 'form': {
      await acknowledgment.send();
      const shown = await showWhenReady(context, { triggerId, modal }, planned.view);
      if (shown === 'too-late') await say(answerMessage(TOO_LATE));
      return;
    }
    case 'start':
      await start(context, command, { ...planned, modal }).catch(fail);
      return acknowledgment.send();
  }
}

async function start(
  context: ListenerContext,
  { triggerId, channel, actor }: SlashCommand,
  { crew, inputs, modal }: { crew: string; inputs: Inputs; modal: ModalKey | null },
): Promise<void> {
  // If Slack delivers the command again, its trigger is used up, so that start has no modal.
  const seed = { triggerId, form: modal && { viewId: modal.viewId, attempt: 0 } };
  const ref = await startCrew(context, { crew, channel, by: actor.person, inputs, seed });
  if (modal) await updateModal(context, modal, startingModal(crew));
  context.wake(ref);
}

function privately(message: Rendered): Parameters<AckCommand>[0] {
  return { response_type: 'ephemeral', ...message };
}

/** Slack takes one acknowledgment per request. */
function acknowledgeOnce(ack: AckCommand): { send: () => Promise<void>; isSent: () => boolean } {
  let sent: Promise<void> | null = null;
  return {
    send: () => {
      sent ??= ack();
      return sent;
    },
    isSent: () => sent !== null,
  };
}
