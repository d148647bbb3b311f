// The card of a request for human input.
import type { Confirm, KnownBlock } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import {
  button,
  buttons,
  confirm,
  context,
  divider,
  header,
  type Rendered,
  rendered,
  section,
  sectionWith,
} from '../../ui/blocks.ts';
import { approvalValue, choices, keyOf } from '../../ui/button-value.ts';
import { listed, mentionsText, nameIn } from '../../ui/person.ts';
import { foreignMarkdown } from '../../ui/plain-blocks.ts';
import { cut, escapedLine, escapeMrkdwn, textProof } from '../../ui/text/escape.ts';
import { type Heading, plainWords, titleOf } from '../../ui/text/markdown.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { compareButton } from '../compare/button.ts';
import { changeText } from '../compare/summary.ts';
import type { CardDetails } from './card-details.ts';
import { approveLabel, cardHeading, cardNames, cardSummary, missingCrewText, readButton } from './card-state.ts';
import { decidedBlocks } from './decided-card.ts';
import { quotedPoints } from './quoted-points.ts';
import { passedOn, whoDecides } from './who-decides.ts';

const EXCERPT_LENGTH = 600;

/** One request for human input: what there is to decide, or what was decided, in three lines. */
export function approvalCard(model: CardModel, details: CardDetails): Rendered {
  return model.state.kind === 'pending'
    ? pendingCard(model, details)
    : rendered(cardSummary(model, details), [...decidedBlocks(model, details), ...proofBlocks(model, details)]);
}

/** What a card that can't be updated any more would show. While the request is open, the card has the buttons, so this has none. */
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
    ...(details.deciders === null ? missingCrewBlocks(model, details.say) : pendingButtons(model, details)),
  ]);
}

/** What remains of a text that is about to expire. */
function proofBlocks({ output, textGoneAt }: CardModel, { say }: CardDetails): KnownBlock[] {
  return textGoneAt === undefined ? [] : [context(textProof({ hash: output.hash, goneAt: textGoneAt }, say))];
}

/**
 * The round, since when it waits, who can decide, and whom it was passed on to. Mentions stand in a section: nothing says that Slack
 * notifies those whom a context block mentions.
 */
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
    ...passed,
    ...(model.untold === undefined ? [] : [`🔕 ${say('card.untold', { count: model.untold })}`]),
  ];
  return [context(lines.join('\n')), ...(notified === '' ? [] : [section(`🔔 ${notified}`)])];
}

/** A locked phone shows only its beginning. */
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

/** The beginning of the output and, where something is hidden, what it is and where to read it. */
function gistBlocks(model: CardModel, { output, preview, rendering, say }: CardDetails): KnownBlock[] {
  const shown = output === null ? null : foreignMarkdown(output, { most: preview, rendering, say });
  const why = output === null ? 'card.no-text' : 'card.empty-text';
  const blocks = shown ? shown.blocks : [context(`_${say(why)}_`)];
  const missing = [
    ...(shown?.isCut ? [say('card.showing', { shown: shown.shown, total: model.output.length })] : []),
    ...(shown && shown.left.length > 0 ? [say('card.left', { headings: headingWords(shown.left, say) })] : []),
    ...(hidesFeedback(model) ? [say('card.showing-feedback')] : []),
  ];
  const read = readButton(model, say);
  if (missing.length > 0) return [...blocks, sectionWith(missing.join('\n'), read)];
  return rendering === 'bare' ? [...blocks, ...buttons(read)] : blocks;
}

/** Others are only counted. */
const MOST_HEADINGS = 20;

function headingWords(headings: readonly Heading[], say: Say): string {
  const words = headings.map((heading, i) => (i < MOST_HEADINGS ? `*${escapedLine(titleOf(heading), 60)}*` : ''));
  return listed(words, say);
}

const FEEDBACK_LIMIT = 700;

/** The feedback that asked for this round; on a card only its beginning. */
export function ledByBlocks(
  { ledBy, ...model }: CardModel,
  { editsMade = null, name, say }: Pick<CardDetails, 'editsMade' | 'name' | 'say'>,
  most = FEEDBACK_LIMIT,
): KnownBlock[] {
  if (!ledBy?.feedback) return [];
  const asked = { round: model.round - 1, when: slackDate(ledBy.at, say) };
  const by = ledBy.by
    ? say('card.asked-for', { ...asked, name: nameIn(name, ledBy.by) })
    : say('card.asked-for-by-nobody', asked);
  const made = editsMade === null ? '' : ` · *${say('edits.made', { ...editsMade })}*`;
  return [context(`${by}${made}`), quotedPoints(ledBy.feedback, most)];
}

/** Whether the card shows only the beginning of that feedback. */
function hidesFeedback({ ledBy }: Pick<CardModel, 'ledBy'>): boolean {
  return (ledBy?.feedback?.length ?? 0) > FEEDBACK_LIMIT;
}

/** That the crew sent a text again that people have already read. */
export function sameTextLine({ lastRound, say }: Pick<CardDetails, 'lastRound' | 'say'>): string | null {
  const sameAs = lastRound?.sameAs ?? null;
  return sameAs === null ? null : `⚠️ *${say('compare.same-as', { round: sameAs })}*`;
}

/** What changed since the last round, with the button that shows it; nothing where nothing can be compared. */
export function changeBlocks(
  model: CardModel,
  { lastRound, rendering, say }: Pick<CardDetails, 'lastRound' | 'rendering' | 'say'>,
): KnownBlock[] {
  const change = lastRound?.change ?? null;
  if (!lastRound || !change) return [];
  const text = changeText(say, change, model.round - 1);
  switch (change.kind) {
    case 'same':
      return [];
    case 'unseen':
    case 'too-large':
      return [context(text)];
    case 'compared': {
      const { ref, taskName, crew, round } = model;
      const { before, after } = lastRound;
      const compare = compareButton(say, { ref, before, after, title: taskName ?? crew, round });
      return rendering === 'bare' ? buttons(compare) : [sectionWith(text, compare)];
    }
  }
}

/** The choices for an open request. What they are about is repeated above them: the heading may be far away. */
function pendingButtons(
  model: CardModel,
  { notes, edits = 'offered', say }: Pick<CardDetails, 'notes' | 'edits' | 'say'>,
): KnownBlock[] {
  const key = keyOf(model);
  const value = approvalValue(key);
  const { repeatsRound } = model;
  const confirming = (yes: ConfirmingLabel) => confirmingRepeat(model, yes, say);
  // A menu asks before each of its entries, or before none.
  const note = notes !== 'offered' ? 'none' : repeatsRound === null ? 'in-menu' : 'button';
  return [
    ...repeatWarning(model, say),
    context(cardNames(model, say)),
    ...choices(key, {
      inRow: [
        button('approve', approveLabel(notes, say), { value, style: 'primary', ...confirming('card.approve-anyway') }),
        button('reject', say('card.reject'), { value, ...confirming('card.reject-anyway') }),
        edits === 'offered' ? button('edit', say('card.edit'), { value }) : null,
        note === 'button'
          ? button('approve_with_note', say('card.approve-with-note'), { value, ...confirming('card.approve-anyway') })
          : null,
      ],
      inMenu: [
        note === 'in-menu' ? { actionId: 'approve_with_note', label: say('card.approve-with-note') } : null,
        { actionId: 'who_can_decide', label: say('card.who') },
        { actionId: 'hand_over', label: say('card.hand-over') },
        model.votes.length > 0 ? { actionId: 'withdraw', label: say('card.withdraw') } : null,
      ],
    }),
  ];
}

/** In place of the choices while the crew isn't configured: what is kept, and who can help. */
function missingCrewBlocks(model: CardModel, say: Say): KnownBlock[] {
  return [context(cardNames(model, say)), section(`🔌 ${missingCrewText(model, say)}`)];
}

type ConfirmingLabel = 'card.approve-anyway' | 'card.reject-anyway';

/** Warns that a request may be a repeated notice of one that was decided before. */
export function repeatWarning({ repeatsRound }: CardModel, say: Say): KnownBlock[] {
  return repeatsRound === null ? [] : [context(`⚠️ ${say('card.repeats', { round: repeatsRound })}`)];
}

/** What a button asks before it decides such a request. */
export function confirmingRepeat({ repeatsRound }: CardModel, yes: ConfirmingLabel, say: Say): { confirm?: Confirm } {
  if (repeatsRound === null) return {};
  return {
    confirm: confirm({
      title: say('card.repeats-title'),
      text: say('card.repeats-question', { round: repeatsRound }),
      yes: say(yes),
      no: say('card.go-back'),
    }),
  };
}
