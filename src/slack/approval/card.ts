import type { KnownBlock } from '@slack/types';
import type { CardFace } from '../../core/messages/view-models.ts';
import { READ_ALL } from '../reading/read-all-modal.ts';
import { button, buttons, context, divider, header, quote, type Rendered, rendered, section } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { inline, type NameOf, nameIn } from '../ui/person.ts';
import { cut } from '../ui/text/cut.ts';
import { cutMarkdown } from '../ui/text/cut-markdown.ts';
import { slackDate } from '../ui/text/moment.ts';
import { plainWords } from '../ui/text/plain-words.ts';
import { cardHeading, cardStateBlocks, cardSummary } from './card-state.ts';
import { pendingButtons } from './pending-buttons.ts';

/** The text of a message's blocks may have about 13,200 characters in all; people read the rest in the modal. */
const OUTPUT_LIMIT = 3_000;
/** The whole of it stands on the card of the round before. */
const FEEDBACK_LIMIT = 1_000;
const SUMMARY_LIMIT = 600;

export interface CardSurroundings {
  /** The whole text that is to be judged; null when it is no longer stored. */
  output: string | null;
  notes: 'offered' | 'hidden';
  name: NameOf;
}

/**
 * One request for human input. Our own words come first and last; what the crew wrote stands in one block between two
 * dividers, so that nothing in it can be taken for the state of the request.
 */
export function approvalCard(face: CardFace, around: CardSurroundings): Rendered {
  const { name } = around;
  return rendered(notification(face, around), [
    header(cardHeading(face)),
    section(question(face)),
    ...ledBy(face, name),
    divider(),
    ...outputBlocks(face, around.output),
    divider(),
    ...cardStateBlocks(face, name),
    ...(face.state.kind === 'pending' ? pendingButtons(face, around.notes) : []),
  ]);
}

function notification(face: CardFace, { output, name }: CardSurroundings): string {
  const excerpt =
    face.state.kind === 'pending' && output ? `\n${inline(plainWords(cut(output, SUMMARY_LIMIT)), SUMMARY_LIMIT)}` : '';
  return `${cardSummary(face, name)}${excerpt}`;
}

function question(face: CardFace): string {
  const what = face.taskName ? `“${inline(face.taskName, 120)}”` : 'this result';
  const round = face.round > 1 ? `Round ${face.round}` : 'First round';
  return `*${inline(face.crew, 80)}* asks for approval of ${what} before it goes on.\n${round} · ${slackDate(face.askedAt)}`;
}

function ledBy({ ledBy, round }: CardFace, name: NameOf): KnownBlock[] {
  if (!ledBy?.feedback) return [];
  const by = `${nameIn(name, ledBy.by)} rejected round ${round - 1} (${slackDate(ledBy.at)}) with this feedback:`;
  return [context(by), quote(ledBy.feedback, FEEDBACK_LIMIT)];
}

function outputBlocks(face: CardFace, output: string | null): KnownBlock[] {
  if (output === null) return [context('_The text is no longer stored._')];
  const { text, isCut } = cutMarkdown(output, OUTPUT_LIMIT);
  if (text === '') return [context('_The crew sent an empty text._')];
  const readAll = button(READ_ALL, 'Read all', { value: textValue(textKey(face)) });
  return [
    { type: 'markdown', text },
    ...(isCut ? [context(`The text goes on: ${face.output.length.toLocaleString('en')} characters in all.`)] : []),
    ...buttons(readAll),
  ];
}

function textKey({ ref, output, taskName, crew, round }: CardFace) {
  return { ref, hash: output.hash, title: `${taskName ?? crew}, round ${round}`, rest: 'attached' as const };
}
