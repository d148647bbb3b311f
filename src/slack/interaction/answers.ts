import type { ModalView } from '@slack/types';
import type { NextStep } from '../../core/execution/execution.ts';
import { NO_STEP, type UntoldAnswer } from '../../core/messages/private-answers.ts';
import { answerMessage, answerModal } from '../ui/answer-modal.ts';
import { nextStepButtons } from '../ui/next-step.ts';
import type { Click } from './click.ts';
import { giveAnswer } from './give-answer.ts';
import { keepForLater } from './keep-for-later.ts';
import type { ListenerContext } from './listener-context.ts';
import type { Opening } from './modals.ts';
import { openModal, pushModal, updateModal } from './modals.ts';
import { tellPerson } from './tell-person.ts';

type Ports = Pick<ListenerContext, 'client' | 'log' | 'store' | 'wake' | 'say' | 'person'>;

/** Opens a modal for a click, on top of the one that was clicked, or says that it was too late. Never throws. */
export async function showModal(ports: Ports, click: Click, view: ModalView): Promise<void> {
  if ((await openFor(ports, click, view)).kind === 'too-late')
    await whisper(ports, click, { text: (await ports.say())('answer.took-too-long'), next: NO_STEP });
}

/**
 * Answers only the person who clicked: in a small modal, or in an ephemeral message if none can be opened. An acknowledged click
 * without an answer would look as if it had counted, so Slack is asked again for a minute. Never throws.
 */
export async function tell(
  ports: Ports,
  click: Click,
  { title, text, next = NO_STEP }: { title: string; text: string; next?: NextStep },
): Promise<void> {
  const say = await ports.say();
  const view = answerModal(say, { title, text, more: nextStepButtons(next, say) });
  if ((await openFor(ports, click, view)).kind !== 'opened') await whisper(ports, click, { text, next });
}

/** Answers a click on a request or run that is no longer stored. */
export async function tellNoLongerKnown(ports: Ports, click: Click): Promise<void> {
  const say = await ports.say();
  await tell(ports, click, { title: say('answer.no-change'), text: say('answer.no-longer-known') });
}

async function openFor(ports: Ports, { triggerId, view: under }: Click, view: ModalView): Promise<Opening> {
  if (!under) return openModal(ports, triggerId, view);
  const pushed = await pushModal(ports, triggerId, view);
  if (pushed.kind !== 'too-deep') return pushed;
  const isShown = await updateModal(ports, { viewId: under.id }, view);
  return isShown ? { kind: 'opened', modal: { viewId: under.id } } : { kind: 'too-late' };
}

type Said = Pick<UntoldAnswer, 'text' | 'next'>;

async function whisper(ports: Ports, click: Click, said: Said): Promise<void> {
  const { message, view } = click;
  if (!message) return view ? undefined : tellDirectly(ports, said);
  const { channel, threadTs } = message;
  const answer = { to: ports.person.id, channel, threadTs, ...said };
  const outcome = await giveAnswer(ports, answer);
  if (outcome === 'later') await keepForLater(ports, click, answer);
  if (outcome === 'never') await tellDirectly(ports, said);
}

/** A shortcut may be used where there is no message, or in a channel that the bot isn't in. */
async function tellDirectly(ports: Ports, { text, next }: Said): Promise<void> {
  const message = answerMessage(text, nextStepButtons(next, await ports.say()));
  await tellPerson(ports, { channel: null, user: ports.person.id }, message);
}
