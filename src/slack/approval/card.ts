import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { context, divider, header, type Rendered, rendered, section } from '../ui/blocks.ts';
import { mentionsText } from '../ui/mentions.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { slackDate } from '../ui/text/moment.ts';
import { plainWords } from '../ui/text/plain-words.ts';
import { textProof } from '../ui/text/text-proof.ts';
import type { CardDetails } from './card-details.ts';
import { cardHeading } from './card-names.ts';
import { cardSummary } from './card-state.ts';
import { changeBlocks, sameTextLine } from './change-blocks.ts';
import { decidedBlocks } from './decided-blocks.ts';
import { gistBlocks } from './gist-blocks.ts';
import { ledByBlocks } from './led-by-blocks.ts';
import { missingCrewBlocks, missingCrewText } from './missing-crew-blocks.ts';
import { pendingButtons } from './pending-buttons.ts';
import { passedOn, whoDecides } from './who-decides.ts';

const EXCERPT_LENGTH = 600;

/** One request for human input: what there is to decide, or in three lines what was decided. */
export function approvalCard(model: CardModel, details: CardDetails): Rendered {
  return model.state.kind === 'pending'
    ? pendingCard(model, details)
    : rendered(cardSummary(model, details), [...decidedBlocks(model, details), ...proofBlocks(model, details)]);
}

/** What a card can't show any more. While it waits, the card has its buttons, so that this has none. */
export function cardFollowUp(model: CardModel, details: CardDetails): Rendered {
  const { say } = details;
  if (model.state.kind !== 'pending') {
    const card = approvalCard(model, details);
    return rendered(card.text, [...card.blocks, context(say('follow-up.card'))]);
  }
  const text = say('follow-up.open-card');
  return rendered(`${escapeMrkdwn(cardHeading(model, say))}\n${text}`, [
    section(`*${escapeMrkdwn(cardHeading(model, say))}*`),
    ...askedLines(model, details),
    context(text),
  ]);
}

/**
 * Our own text comes first and last; the crew's output is one block between two dividers, so that nothing in it can be taken
 * for the state of the request.
 */
function pendingCard(model: CardModel, details: CardDetails): Rendered {
  return rendered(notification(model, details), [
    header(cardHeading(model, details.say)),
    ...askedLines(model, details),
    ...ledByBlocks(model, details),
    ...changeBlocks(model, details),
    divider(),
    ...gistBlocks(model, details),
    divider(),
    ...(details.deciders === null ? missingCrewBlocks(model, details) : pendingButtons(model, details)),
  ]);
}

/** What remains of a text that is about to expire. */
function proofBlocks({ output, textGoneAt }: CardModel, { say }: CardDetails): KnownBlock[] {
  return textGoneAt === undefined ? [] : [context(textProof({ hash: output.hash, goneAt: textGoneAt }, say))];
}

/** The round, since when it waits, who can decide, and whom it was passed on to. */
function askedLines(
  model: CardModel,
  { deciders, mentions = [], lastRound = null, name, say }: CardDetails,
): KnownBlock[] {
  const since = slackDate(model.askedAt, say, `${say('card.since')} `);
  const parts = [say('card.round', { round: model.round }), since, ...whoDecides(model, deciders, { name, say })];
  const passed = deciders ? passedOn(model, deciders, { name, say }).map((line) => `➡️ ${line}`) : [];
  const notified = mentionsText(mentions);
  const same = sameTextLine({ lastRound, say });
  const lines = [
    ...(same === null ? [] : [same]),
    parts.join(' · '),
    ...(notified === '' ? [] : [`🔔 ${notified}`]),
    ...passed,
  ];
  return [context(lines.join('\n'))];
}

/** On a locked phone, its beginning is all that is seen. */
function notification(
  model: CardModel,
  { output, name, rendering, deciders, lastRound = null, say }: CardDetails,
): string {
  const excerpt = output === null || rendering === 'bare' ? '' : plainWords(cut(output, EXCERPT_LENGTH));
  const [first = '', ...more] = excerpt.split('\n');
  const lines = [
    escapeMrkdwn(cardHeading(model, say)),
    sameTextLine({ lastRound, say }) ?? '',
    escapedLine(first, EXCERPT_LENGTH),
    escapedLine(more.join(' '), EXCERPT_LENGTH),
    [say('card.round', { round: model.round }), ...whoDecides(model, deciders, { name, say })].join(' · '),
    ...(deciders === null ? [missingCrewText(model, say)] : []),
  ];
  return lines.filter((line) => line !== '').join('\n');
}
