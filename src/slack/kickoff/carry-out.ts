import type { Inputs } from '../../core/json.ts';
import { answerCommand } from '../interaction/answer-command.ts';
import type { CommandArgs } from '../interaction/listeners.ts';
import { type ModalKey, openWhileWaiting, showWhenReady, updateModal } from '../interaction/modals.ts';
import { privately } from '../interaction/privately.ts';
import type { Say } from '../language/say.ts';
import { answerMessage, modalOf } from '../ui/answer-modal.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { CommandLine } from './command-line.ts';
import { planStart } from './plan.ts';
import { loadingModal } from './progress-modals.ts';
import { startCrew } from './start-crew.ts';
import { tellStart } from './tell-start.ts';

interface Carrying {
  line: Extract<CommandLine, { kind: 'form' | 'start' }>;
  say: Say;
}

/** While Slack or the crew is slow, the command is acknowledged and a loading modal takes the place of the answer. */
export async function carryOut(args: CommandArgs, { line, say }: Carrying): Promise<void> {
  const { command, context } = args;
  const { trigger_id: triggerId, channel_id: channel } = command;
  const answer = answerOnce(args);
  const crew = line.kind === 'start' ? line.crew : null;
  const loading = { triggerId, loading: loadingModal(crew, say), onSlow: () => answer.give(null) };
  const plan = planStart(context, line, { channel, by: context.person, say }).catch((error: unknown) => ({
    kind: 'failed' as const,
    error,
  }));
  const { value: planned, modal } = await openWhileWaiting(context, loading, plan);
  const tell = async (message: Rendered) => {
    const isShown =
      modal !== null && (await updateModal(context, modal, modalOf(say, { title: say('start.title'), ...message })));
    await answer.give(isShown ? null : message);
  };
  // Without an ack, Slack itself shows the person an error.
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
      const shown = await showWhenReady(context, { triggerId, modal }, planned.view);
      if (shown === 'too-late') await tell(answerMessage(say('start.took-too-long')));
      return;
    }
    case 'start': {
      const ref = await start(args, { ...planned, modal }).catch(fail);
      const { message } = await tellStart(context, { ref, crew: planned.crew, triggerId, modal }, say);
      return answer.give(message);
    }
  }
}

async function start(
  { command: { trigger_id: triggerId, channel_id: channel }, context }: CommandArgs,
  { crew, inputs, modal }: { crew: string; inputs: Inputs; modal: ModalKey | null },
): Promise<string> {
  // If Slack delivers the command again, its trigger is used up, so that start has no modal.
  const seed = { triggerId, form: modal && { viewId: modal.viewId, attempt: 0 } };
  return startCrew(context, { crew, channel, by: context.person, inputs, seed });
}

interface Answer {
  /** As the acknowledgment, or after it in a message of its own; null acknowledges without words. */
  give: (message: Rendered | null) => Promise<void>;
  isGiven: () => boolean;
}

/** Slack takes one acknowledgment per request. */
function answerOnce(args: CommandArgs): Answer {
  let given: Promise<void> | null = null;
  return {
    give: async (message) => {
      if (given && message) return answerCommand(args, message);
      given ??= args.ack(message ? privately(message) : undefined);
      return given;
    },
    isGiven: () => given !== null,
  };
}
