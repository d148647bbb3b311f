import type { Inputs } from '../../core/json.ts';
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
import { type Plan, planStart } from './plan.ts';
import { loadingModal, startingModal } from './progress-modals.ts';
import { startCrew } from './start-crew.ts';

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
  if (!line.ok) return ack(privately(commandProblemMessage(line.refusal, crews)));
  switch (line.value.kind) {
    case 'help':
      return ack(privately(helpMessage(crews)));
    case 'status':
      return ack(privately(await channelStatus(context, command.channel)));
    case 'connect':
      return onConnectCommand(context, command, { crew: line.value.crew, ack });
    case 'disconnect':
      return onDisconnectCommand(context, command, { crew: line.value.crew, ack });
    case 'form':
    case 'start': {
      const crew = line.value.kind === 'start' ? line.value.crew : (crews[0] ?? '');
      const plan = planStart(context, line.value, { crew, channel: command.channel });
      return carryOut(context, command, { crew, plan, ack });
    }
  }
}

/** While Slack or the crew is slow, the command is acknowledged and a loading modal takes the place of the answer. */
async function carryOut(
  context: ListenerContext,
  command: SlashCommand,
  { crew, plan, ack }: { crew: string; plan: Promise<Plan>; ack: AckCommand },
): Promise<void> {
  const { triggerId } = command;
  const acknowledgment = acknowledgeOnce(ack);
  const loading = { triggerId, loading: loadingModal(crew), onSlow: acknowledgment.send };
  const { value: planned, modal } = await openWhileWaiting(context, loading, plan);
  const say = async (message: Rendered) => {
    const isShown = modal !== null && (await updateModal(context, modal, modalOf('Start a crew', message)));
    if (!isShown) await answerCommand(context, command, message);
  };
  switch (planned.kind) {
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
      try {
        await start(context, command, { crew, inputs: planned.inputs, modal });
      } catch (error) {
        // Without an ack, Slack itself shows the person an error.
        if (acknowledgment.isSent()) await say(answerMessage(NOT_STORED));
        throw error;
      }
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
