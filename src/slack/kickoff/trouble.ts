import type { Button, KnownBlock, ModalView } from '@slack/types';
import type { CrewRefusal } from '../../core/approval/approval.ts';
import { type KickoffTrouble, kickoffWords } from '../run/start-words.ts';
import { button, buttons, confirm, context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { modal } from '../ui/modal.ts';
import { escapeMrkdwn } from '../ui/text/escape.ts';

export interface FailedStart {
  /** What the buttons carry. */
  ref: string;
  crew: string;
  trouble: KickoffTrouble;
}

/** How a start went wrong, in the place of the form. */
export function kickoffTroubleModal(news: FailedStart): ModalView {
  return modal({
    callbackId: 'kickoff_progress',
    title: kickoffWords(news.trouble, news.crew).title,
    blocks: troubleBlocks(news),
  });
}

/** The same as a private message to the person who started it. */
export function kickoffTroubleMessage(news: FailedStart): Rendered {
  const { sentence } = kickoffWords(news.trouble, news.crew);
  return rendered(`${symbolOf(news.trouble)} ${escapeMrkdwn(sentence)}`, troubleBlocks(news));
}

function troubleBlocks({ ref, crew, trouble }: FailedStart): KnownBlock[] {
  const { sentence, detail } = kickoffWords(trouble, crew);
  return [
    section(`${symbolOf(trouble)} ${escapeMrkdwn(sentence)}`),
    ...(detail === null ? [] : [context(`The crew said: “${escapeMrkdwn(detail)}”`)]),
    ...buttons(wayOut(ref, trouble)),
  ];
}

function symbolOf(trouble: KickoffTrouble): string {
  return trouble.kind === 'doubt' ? '❓' : '🚫';
}

function wayOut(ref: string, trouble: KickoffTrouble): Button {
  switch (trouble.kind) {
    case 'refused':
      return trouble.refusal.code === 'missing-inputs'
        ? button('fill_in', 'Fill in', { value: ref, style: 'primary' })
        : button('try_again', 'Try again', { value: ref });
    case 'doubt':
      return button('try_again', 'Try again', { value: ref, confirm: TWICE });
  }
}

const TWICE = confirm({
  title: 'Try again?',
  text: 'The first start may have worked although nobody confirmed it. If it did, the crew runs twice.',
  yes: 'Try again',
  no: 'Wait',
});

/** What the form shows where the crew didn't say which inputs it needs. */
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

/** Why the crew's inputs are not known; plain text. */
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
    case 'other':
      return `${crew} didn’t say what it needs. Please try again; if that doesn’t help, ask whoever runs the crew.`;
  }
}

/** The form stays as it is meanwhile; plain text. */
export function slowSentence(crew: string): string {
  return `${crew} is slow to say what it needs, so nothing was started yet. Please press Start again in a few seconds.`;
}
