import type { Button, KnownBlock, ModalView } from '@slack/types';
import { type CrewRefusal, isAboutUserToken } from '../../core/approval/approval.ts';
import type { Say } from '../language/say.ts';
import { confirmSecondStart } from '../run/confirm-second-start.ts';
import { type KickoffTrouble, kickoffTroubleText } from '../run/kickoff-trouble-text.ts';
import { button, buttons, context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { modal } from '../ui/modal.ts';
import { connectButton } from '../ui/next-step.ts';
import { escapeMrkdwn } from '../ui/text/escape.ts';

interface FailedKickoff {
  /** What the buttons carry. */
  ref: string;
  crew: string;
  trouble: KickoffTrouble;
}

/** How the kickoff failed, in place of the form. */
export function kickoffTroubleModal(failed: FailedKickoff, say: Say): ModalView {
  return modal({
    callbackId: 'kickoff_progress',
    title: kickoffTroubleText(failed.trouble, { crew: failed.crew, reader: 'starter', say }).title,
    close: say('modal.close'),
    blocks: troubleBlocks(failed, say),
  });
}

/** The same as a private message to the starter. */
export function kickoffTroubleMessage(failed: FailedKickoff, say: Say): Rendered {
  const { sentence } = kickoffTroubleText(failed.trouble, { crew: failed.crew, reader: 'starter', say });
  return rendered(`${symbolOf(failed.trouble)} ${escapeMrkdwn(sentence)}`, troubleBlocks(failed, say));
}

function troubleBlocks({ ref, crew, trouble }: FailedKickoff, say: Say): KnownBlock[] {
  const { sentence, detail } = kickoffTroubleText(trouble, { crew, reader: 'starter', say });
  return [
    section(`${symbolOf(trouble)} ${escapeMrkdwn(sentence)}`),
    ...(detail === null ? [] : [context(say('start.crew-said', { text: escapeMrkdwn(detail) }))]),
    ...buttons(...nextSteps({ ref, crew, trouble }, say)),
  ];
}

function symbolOf(trouble: KickoffTrouble): string {
  return trouble.kind === 'doubt' ? '❓' : '🚫';
}

function nextSteps({ ref, crew, trouble }: FailedKickoff, say: Say): Button[] {
  const label = say('start.try-again');
  switch (trouble.kind) {
    case 'refused': {
      const { code } = trouble.refusal;
      if (code === 'missing-inputs') return [button('fill_in', say('start.fill-in'), { value: ref, style: 'primary' })];
      const again = button('try_again', label, { value: ref });
      return isAboutUserToken(code) ? [connectButton(crew, say), again] : [again];
    }
    case 'doubt':
      return [button('try_again', label, { value: ref, confirm: confirmSecondStart(say, label) })];
  }
}

/** Replaces the form if the crew didn't say which inputs it needs. */
export function inputsTroubleModal(
  { crew, code, metadata }: { crew: string; code: CrewRefusal; metadata: string },
  say: Say,
): ModalView {
  return modal({
    callbackId: 'kickoff_progress',
    title: say('start.title'),
    close: say('modal.close'),
    metadata,
    blocks: [
      section(`🚫 ${escapeMrkdwn(inputsSentence(code, crew, say))}`),
      ...buttons(button('ask_again', say('start.try-again'), { value: metadata })),
    ],
  });
}

/** Why the crew's inputs are unknown; plain text. */
export function inputsSentence(code: CrewRefusal, crew: string, say: Say): string {
  switch (code) {
    case 'unauthorized':
    case 'not-found':
    case 'quota':
    case 'unreachable':
      return say(`inputs.${code}`, { crew });
    case 'bad-request':
    case 'missing-inputs':
    case 'user-token-refused':
    case 'no-user-token':
    case 'other':
      return say('inputs.other', { crew });
  }
}
