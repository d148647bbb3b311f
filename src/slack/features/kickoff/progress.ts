import type { KnownBlock, ModalView } from '@slack/types';
import type { Unavailability } from '../../../core/state/request.ts';
import type { Say } from '../../language/say.ts';
import { context, type Rendered, section } from '../../ui/blocks.ts';
import { answerMessage, modal } from '../../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';

/** Shows that Signoff waits for a crew's inputs; null if the crew isn't chosen yet. */
export function loadingModal(crew: string | null, say: Say): ModalView {
  const wait = crew === null ? say('start.finding-out') : say('start.asking', { crew: shortName(crew) });
  return progressModal(say, { title: say('start.title'), close: say('modal.cancel'), blocks: [section(`⏳ ${wait}`)] });
}

export function progressModal(
  say: Say,
  content: { title: string; blocks: KnownBlock[]; close?: string; metadata?: string },
): ModalView {
  return modal(say, { callbackId: 'kickoff_progress', ...content });
}

/** The state of a start that the crew hasn't accepted or refused: asked for the first time, or again for this reason. */
export type StartProgress = 'asking' | Unavailability;

interface UnderWay {
  crew: string;
  progress: StartProgress;
}

export function startingModal(underWay: UnderWay, say: Say): ModalView {
  const later = context(`${say('start.may-close')} ${say('start.starting-later')}`);
  return progressModal(say, {
    title: say('start.starting-title'),
    blocks: [section(underWayText(underWay, say)), later],
  });
}

/** Says only what stays true, because Slack takes no answer to a command back. */
export function startingMessage(say: Say): Rendered {
  return answerMessage(say('start.starting-later'));
}

function underWayText({ crew, progress }: UnderWay, say: Say): string {
  const name = { crew: shortName(crew) };
  return `⏳ ${progress === 'asking' ? say('start.starting', name) : say(`start.retrying-${progress}`, name)}`;
}

interface Started {
  crew: string;
  /** The channel that the starter chose, if they are somewhere else. */
  channel?: string;
  /** The address of the thread; null until its root is posted. */
  link: string | null;
}

export function startedModal({ crew, channel, link }: Started, say: Say): ModalView {
  const place = channel === undefined ? say('start.thread-in-channel') : `<#${escapeMrkdwn(channel)}>`;
  const thread = link ? `<${escapeMrkdwn(link)}|${say('start.its-thread')}>` : place;
  const text = `✅ ${say('start.started', { crew: shortName(crew), thread })}`;
  return progressModal(say, { title: say('start.started-title'), blocks: [section(text)] });
}

function shortName(crew: string): string {
  return escapedLine(crew, 80);
}
