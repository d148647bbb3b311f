import type { Button, KnownBlock, ModalView } from '@slack/types';
import { type CrewRefusal, isAboutUserToken } from '../../core/approval/approval.ts';
import { type KickoffTrouble, kickoffTroubleText } from '../run/kickoff-trouble-text.ts';
import { button, buttons, confirm, context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { OPTION_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapeMrkdwn } from '../ui/text/escape.ts';

interface FailedKickoff {
  /** What the buttons carry. */
  ref: string;
  crew: string;
  trouble: KickoffTrouble;
}

/** How the kickoff failed, in place of the form. */
export function kickoffTroubleModal(failed: FailedKickoff): ModalView {
  return modal({
    callbackId: 'kickoff_progress',
    title: kickoffTroubleText(failed.trouble, { crew: failed.crew, reader: 'starter' }).title,
    blocks: troubleBlocks(failed),
  });
}

/** The same as a private message to the starter. */
export function kickoffTroubleMessage(failed: FailedKickoff): Rendered {
  const { sentence } = kickoffTroubleText(failed.trouble, { crew: failed.crew, reader: 'starter' });
  return rendered(`${symbolOf(failed.trouble)} ${escapeMrkdwn(sentence)}`, troubleBlocks(failed));
}

function troubleBlocks({ ref, crew, trouble }: FailedKickoff): KnownBlock[] {
  const { sentence, detail } = kickoffTroubleText(trouble, { crew, reader: 'starter' });
  return [
    section(`${symbolOf(trouble)} ${escapeMrkdwn(sentence)}`),
    ...(detail === null ? [] : [context(`The crew said: “${escapeMrkdwn(detail)}”`)]),
    ...buttons(...nextSteps({ ref, crew, trouble })),
  ];
}

function symbolOf(trouble: KickoffTrouble): string {
  return trouble.kind === 'doubt' ? '❓' : '🚫';
}

function nextSteps({ ref, crew, trouble }: FailedKickoff): Button[] {
  switch (trouble.kind) {
    case 'refused': {
      const { code } = trouble.refusal;
      if (code === 'missing-inputs') return [button('fill_in', 'Fill in', { value: ref, style: 'primary' })];
      const again = button('try_again', 'Try again', { value: ref });
      return isAboutUserToken(code)
        ? [
            button('connect_token', 'Connect your token', { value: crew.slice(0, OPTION_LIMIT), style: 'primary' }),
            again,
          ]
        : [again];
    }
    case 'doubt':
      return [button('try_again', 'Try again', { value: ref, confirm: CONFIRM_SECOND_START })];
  }
}

const CONFIRM_SECOND_START = confirm({
  title: 'Try again?',
  text: 'The first start may have worked although nobody confirmed it. If it did, the crew runs twice.',
  yes: 'Try again',
  no: 'Wait',
});

/** Replaces the form if the crew didn't say which inputs it needs. */
export function inputsTroubleModal({
  crew,
  code,
  metadata,
}: {
  crew: string;
  code: CrewRefusal;
  metadata: string;
}): ModalView {
  return modal({
    callbackId: 'kickoff_progress',
    title: 'Start a crew',
    metadata,
    blocks: [
      section(`🚫 ${escapeMrkdwn(inputsSentence(code, crew))}`),
      ...buttons(button('ask_again', 'Try again', { value: metadata })),
    ],
  });
}

/** Why the crew's inputs are unknown; plain text. */
export function inputsSentence(code: CrewRefusal, crew: string): string {
  switch (code) {
    case 'unauthorized':
      return `${crew} doesn’t accept our access token, so it didn’t say what it needs. Whoever runs Signoff needs to renew it.`;
    case 'not-found':
      return `There is no crew at the address of ${crew} any more. Whoever runs Signoff needs to correct it.`;
    case 'quota':
      return `${crew} answers nothing more for now: its limit is used up. Please try again later.`;
    case 'unreachable':
      return `${crew} can’t be reached right now. It may be asleep or down; please try again in a few minutes.`;
    case 'bad-request':
    case 'missing-inputs':
    case 'user-token-refused':
    case 'no-user-token':
    case 'other':
      return `${crew} didn’t say what it needs. Please try again; if that doesn’t help, ask whoever runs the crew.`;
  }
}

/** For a form that was submitted before the crew said what it needs; plain text. */
export function slowSentence(crew: string): string {
  return `${crew} is slow to say what it needs, so nothing was started yet. Please press Start again in a few seconds.`;
}
