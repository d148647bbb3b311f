import type { KnownBlock } from '@slack/types';
import type { Rendering } from '../../core/messages/rendering.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { button, buttons, context, divider, header, quote, type Rendered, rendered, section } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { foreignMarkdown } from '../ui/foreign-markdown.ts';
import { type Mention, mentionsText } from '../ui/mentions.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { slackDate } from '../ui/text/moment.ts';
import { plainWords } from '../ui/text/plain-words.ts';
import { cardHeading, cardStateBlocks, cardSummary } from './card-state.ts';
import { pendingButtons } from './pending-buttons.ts';
import type { Deciders } from './who-decides.ts';
import { passedOn, whoDecides } from './who-decides.ts';

/** Keeps a card short, and with all else on it below `MESSAGE_BLOCKS_TEXT_LIMIT`; the rest is read in the modal. */
const OUTPUT_LIMIT = 3_000;
/** The card of the previous round shows all of it. */
const FEEDBACK_LIMIT = 700;
const SUMMARY_LIMIT = 600;

/** What a card shows besides its model. */
interface CardDetails {
  /** The whole output; null if it is no longer stored. */
  output: string | null;
  notes: 'offered' | 'hidden';
  deciders: Deciders;
  /** Whom an open card mentions; by default nobody. */
  mentions?: readonly Mention[];
  name: NameOf;
  rendering: Rendering;
}

/**
 * One request for human input. Our own text comes first and last; the crew's output is one block between two dividers, so
 * that nothing in it can be taken for the state of the request.
 */
export function approvalCard(model: CardModel, details: CardDetails): Rendered {
  const { name } = details;
  return rendered(notification(model, details), [
    header(cardHeading(model)),
    section(question(model)),
    ...ledBy(model, name),
    divider(),
    ...outputBlocks(model, details),
    divider(),
    ...cardStateBlocks(model, name),
    ...(model.state.kind === 'pending' ? [...whoBlocks(model, details), ...pendingButtons(model, details.notes)] : []),
  ]);
}

function notification(model: CardModel, { output, name, rendering, deciders }: CardDetails): string {
  const who = model.state.kind === 'pending' ? whoDecides(model, deciders, name) : null;
  const excerpt =
    model.state.kind === 'pending' && output && rendering !== 'bare'
      ? `\n${escapedLine(plainWords(cut(output, SUMMARY_LIMIT)), SUMMARY_LIMIT)}`
      : '';
  return `${cardSummary(model, name)}${who === null ? '' : ` ${who}.`}${excerpt}`;
}

function whoBlocks(model: CardModel, { deciders, name, mentions = [] }: CardDetails): KnownBlock[] {
  const notified = mentionsText(mentions);
  const who = whoDecides(model, deciders, name);
  const lines = [
    ...(notified === '' ? [] : [`🔔 ${notified}`]),
    ...(who === null ? [] : [`👥 ${who}`]),
    ...passedOn(model, deciders, name).map((line) => `➡️ ${line}`),
  ];
  return lines.length === 0 ? [] : [context(lines.join('\n'))];
}

function question(model: CardModel): string {
  const what = model.taskName ? `“${escapedLine(model.taskName, 120)}”` : 'this result';
  const round = model.round > 1 ? `Round ${model.round}` : 'First round';
  return `*${escapedLine(model.crew, 80)}* asks for approval of ${what} before it goes on.\n${round} · ${slackDate(model.askedAt)}`;
}

function ledBy({ ledBy, round }: CardModel, name: NameOf): KnownBlock[] {
  if (!ledBy?.feedback) return [];
  const who = ledBy.by ? `${nameIn(name, ledBy.by)} rejected` : 'Nobody decided in time, which rejected';
  const by = `${who} round ${round - 1} (${slackDate(ledBy.at)}) with this feedback:`;
  return [context(by), quote(ledBy.feedback, FEEDBACK_LIMIT)];
}

function outputBlocks(model: CardModel, { output, rendering }: CardDetails): KnownBlock[] {
  if (output === null) return [context('_The text is no longer stored._')];
  const shown = foreignMarkdown(output, { most: OUTPUT_LIMIT, rendering });
  if (!shown) return [context('_The crew sent an empty text._')];
  const readAll = button('read_all', 'Read all', { value: textValue(textKey(model)) });
  return [
    ...shown.blocks,
    ...(shown.isCut
      ? [context(`The text goes on: ${model.output.length.toLocaleString('en')} characters in all.`)]
      : []),
    ...buttons(readAll),
  ];
}

function textKey({ ref, output, taskName, crew, round }: CardModel) {
  return { ref, hash: output.hash, title: `${taskName ?? crew}, round ${round}`, rest: 'attached' as const };
}
