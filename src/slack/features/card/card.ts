// The card of an open request.
import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { headingOf } from '../../../core/state/about.ts';
import type { CardDetails } from '../../request/card-details.ts';
import { cardHeading, laterRound, missingCrewText, reviewButton } from '../../request/card-state.ts';
import { decisionBlocks } from '../../request/choices.ts';
import {
  changeBlocks,
  changeLines,
  editedBlocks,
  feedbackBlocks,
  feedbackLeftOut,
  ledByText,
  sameTextLine,
} from '../../request/last-round.ts';
import { inputsLine, startedBy } from '../../request/status-text.ts';
import {
  decisionLines,
  delegationLines,
  lostLines,
  noteLines,
  retractedLines,
  shortageLines,
  whoDecides,
} from '../../request/who-decides.ts';
import {
  buttons,
  context,
  contextLine,
  divider,
  header,
  type Rendered,
  rendered,
  section,
  sectionWith,
} from '../../ui/blocks.ts';
import { keyOf } from '../../ui/button-value.ts';
import { reasonBlock } from '../../ui/fields.ts';
import { hiddenLine } from '../../ui/masking.ts';
import type { Words } from '../../ui/person.ts';
import { excerptOf, foreignText, moreText, type Room } from '../../ui/plain-blocks.ts';
import { blocksHeight, DESK, PHONE } from '../../ui/rendered-height.ts';
import { calledTool, type Structure, structureIn } from '../../ui/structure.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { wholeTextBlocks } from '../../ui/whole-text.ts';

const EXCERPT_LENGTH = 600;
const LONGEST_ABOUT = 120;
const LONGEST_CREW = 40;

/** Shows what an open card would show that can't be updated any more. The card has the buttons, so the follow-up has none. */
export function openCardFollowUp(model: CardModel, details: CardDetails): Rendered {
  const { say } = details;
  const text = say('follow-up.open-card');
  const tool = calledTool(structureIn(details.output, details.rendering));
  const heading = escapeMrkdwn(cardHeading(model, say, tool));
  return rendered(`${heading}\n${text}`, [
    section(`*${heading}*`),
    ...askedBlocks(model, { ...details, tool }),
    ...decidersBlocks(model, details),
    context(text),
  ]);
}

/**
 * Renders the card. Our own text comes first and last. The crew's output is between two dividers, so that nobody takes anything in it for
 * the state of the request. A text that is cut needs no divider next to our small text or to the container with the rest.
 */
export function openCard(model: CardModel, details: CardDetails): Rendered {
  const { deciders, isLent, notes, edits, say } = details;
  const structure = structureIn(details.output, details.rendering);
  const tool = calledTool(structure);
  const above = [
    header(cardHeading(model, say, tool)),
    ...askedBlocks(model, { ...details, tool }),
    ...hiddenBlocks(model, details),
    ...editedBlocks(model, details),
    ...(isFirst(model, details)
      ? []
      : [...feedbackBlocks(model, details, FEEDBACK_LIMIT), ...changeBlocks(model, details)]),
  ];
  const why = [
    ...(model.why ? [reasonBlock(model.why, { program: model.byProgram, say })] : []),
    ...(structure?.reason ? [reasonBlock(structure.reason, { say })] : []),
  ];
  const below = [
    ...decidersBlocks(model, details),
    ...(deciders === null
      ? [section(`🔌 ${missingCrewText(model, say)}`)]
      : decisionBlocks(model, { key: keyOf(model), policies: deciders.policies, isLent, notes, edits }, say)),
  ];
  // A heading below small text would look like one of ours.
  const isPlain = above.at(-1)?.type === 'context' && !/^\s*#/.test(details.output ?? '');
  const gist = gistBlocks(model, details, { structure, isPlain, others: [...above, ...why, ...below] });
  const isFolded = gist.at(-1)?.type === 'container';
  const start = isFolded && isPlain ? [] : [divider()];
  const end = isFolded ? [] : [divider()];
  return rendered(notification(model, { ...details, structure }), [
    ...above,
    ...start,
    ...why,
    ...gist,
    ...end,
    ...below,
  ]);
}

/** Returns true for a first round: neither a rejection nor an earlier text led to it. */
function isFirst({ ledBy }: CardModel, { lastRound = null }: CardDetails): boolean {
  return ledBy === null && lastRound === null;
}

/** Says whose run it is, what it is about, who started it, and what led to this round. */
function askedBlocks(model: CardModel, details: CardDetails & { tool: string | null }): KnownBlock[] {
  const { output, deciders, name, tool, say } = details;
  const { taskName, crew } = model;
  // The line about who decides names a starter who may not.
  const isStarterNamed = deciders !== null && deciders.starter !== null && !model.undecidable?.isLeftToNobody;
  const parts = [
    // The heading says what a tool does. Rules may depend on a task of another name.
    tool === null || taskName === tool ? '' : escapedLine(taskName ?? '', LONGEST_ABOUT),
    tool === null ? '' : `\`${tool}\``,
    // A program is named as the one that asks.
    crew === model.byProgram ? '' : escapedLine(crew, LONGEST_CREW),
    aboutIn(model, output),
    isStarterNamed ? '' : startedBy(model, { name, say }),
    (isFirst(model, details) ? '' : ledByText(model, details)) || laterRound(model, say),
  ];
  const inputs = inputsLine(model.inputs ?? {}, details.labelOf ?? String, say);
  const lines = [sameTextLine(details) ?? '', parts.filter(Boolean).join(' · '), inputs];
  return contextLine(lines.filter(Boolean).join('\n'));
}

/** Says what the text hides, with the button to see it. */
function hiddenBlocks(model: CardModel, { output, say }: CardDetails): KnownBlock[] {
  const line = hiddenLine(output, say);
  return line === null ? [] : [sectionWith(line, reviewButton(model, say))];
}

/** Distinguishes the request from others. Empty if the text begins with it, or if its inputs are shown. */
function aboutIn({ about, inputs }: CardModel, output: string | null): string {
  return inputs !== undefined || about === headingOf(output ?? '') ? '' : escapedLine(about, LONGEST_ABOUT);
}

/**
 * Says next to the buttons who can decide, and who has voted. Mentions are in a section, because Slack doesn't say that it notifies
 * people whom a context block mentions.
 */
function decidersBlocks(model: CardModel, { deciders, mentions = [], name, say }: CardDetails): KnownBlock[] {
  const lines = [
    ...lostLines(model, { name, say }).map((line) => `⚠️ ${line}`),
    ...shortagesOn(model, deciders, { name, say }),
    ...decisionLines(model, deciders, { mentions, name, say }),
  ];
  const others = [
    ...noteLines(model, { name, say }).map((line) => `💬 ${line}`),
    ...retractedLines(model, { name, say }).map((line) => `↩️ ${line}`),
    ...(deciders ? delegationLines(model, deciders, { name, say }).map((line) => `➡️ ${line}`) : []),
    ...(model.untold === undefined ? [] : [`🔕 ${say('card.untold', { count: model.untold })}`]),
  ];
  return [
    ...(lines.length === 0 ? [] : [section(lines.join('\n'))]),
    ...(others.length === 0 ? [] : [context(others.join('\n'))]),
  ];
}

function shortagesOn(model: CardModel, deciders: CardDetails['deciders'], words: Words): string[] {
  if (deciders === null || !model.undecidable) return [];
  return shortageLines(model.undecidable.shortages, deciders, words).map((line) => `⚠️ ${line}`);
}

/** Returns the text of the notification, of which a locked phone shows only the beginning. */
function notification(model: CardModel, details: CardDetails & { structure: Structure | null }): string {
  const { output, name, rendering, deciders, structure, say } = details;
  const excerpt =
    output === null || rendering === 'bare' ? '' : excerptOf(output, { structure, most: EXCERPT_LENGTH, say });
  const [first = '', ...more] = excerpt.split('\n');
  const heading = [escapeMrkdwn(cardHeading(model, say, calledTool(structure))), escapedLine(model.crew, LONGEST_CREW)];
  const lines = [
    [...heading, aboutIn(model, output)].filter(Boolean).join(' · '),
    sameTextLine(details) ?? '',
    ...changeLines(details),
    escapedLine(first, EXCERPT_LENGTH),
    escapedLine(more.join(' '), EXCERPT_LENGTH),
    [laterRound(model, say), ...whoDecides(model, deciders, { name, say })].filter(Boolean).join(' · '),
    ...shortagesOn(model, deciders, { name, say }),
    ...(deciders === null ? [missingCrewText(model, say)] : []),
    hiddenLine(output, say) ?? '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * Shows the whole output if there is room for it. Otherwise shows its beginning, says what is missing, and has all of it in a container or
 * the button to read it. A revised text gets half of a crew's `preview`, because what changed is above it.
 */
function gistBlocks(
  model: CardModel,
  details: CardDetails,
  { structure, isPlain, others }: { structure: Structure | null; isPlain: boolean; others: readonly KnownBlock[] },
): KnownBlock[] {
  const { output, preview, rendering, say } = details;
  const most = preview !== null && model.ledBy?.feedback ? Math.ceil(preview / 2) : preview;
  const isFolded = rendering === 'full' && (output ?? '').length <= LONGEST_FOLDED;
  const lines = isFolded ? Number(!isPlain) : 2;
  const room: Room =
    most === null ? roomBeside(others, { isFirst: isFirst(model, details), lines }) : { kind: 'characters', most };
  const excerpt = output === null ? null : foreignText(output, { structure, room, rendering, say });
  const why = output === null ? 'card.no-text' : 'card.empty-text';
  const blocks = excerpt ? excerpt.blocks : [context(`_${say(why)}_`)];
  const read = reviewButton(model, say);
  const more = excerpt?.left ? moreText(excerpt.left, say) : null;
  const hidden = model.ledBy ? feedbackLeftOut(model, details, FEEDBACK_LIMIT) : null;
  const whole =
    output !== null && more !== null && rendering === 'full'
      ? wholeTextBlocks({ text: output, more, structure, others: [...others, ...blocks], say })
      : [];
  const missing = [whole.length === 0 ? more : null, hidden].filter((line) => line !== null);
  if (missing.length > 0) return [...blocks, sectionWith(missing.join(' · '), read), ...whole];
  return rendering === 'bare' ? [...blocks, ...buttons(read)] : [...blocks, ...whole];
}

/** Height of a card: half a desk, and one screen of a phone without its bars. */
const CARD_PX = { desk: 480, phone: 800 };
/** Frame of a message: its author, the line about the thread, and the space around it. */
const FRAME_PX = { desk: 62, phone: 81 };
/** Least height of a text on its first card. On later cards, what changed is above it. */
const LEAST_PX = 66;
const DIVIDER_PX = 17;
/** Container or button below a text that is cut. */
const MORE_PX = { desk: 52, phone: 74 };
/** Space above the text. */
const GAP_PX = 8;
/** Longer texts have a button in place of a container. */
const LONGEST_FOLDED = 9_000;

/** `lines`: the number of dividers of a text that is cut. */
function roomBeside(others: readonly KnownBlock[], { isFirst, lines }: { isFirst: boolean; lines: number }): Room {
  const least = isFirst ? LEAST_PX : 0;
  const left = {
    desk: CARD_PX.desk - FRAME_PX.desk - GAP_PX - blocksHeight(others, DESK),
    phone: CARD_PX.phone - FRAME_PX.phone - GAP_PX - blocksHeight(others, PHONE),
  };
  const cut = { desk: MORE_PX.desk + lines * DIVIDER_PX, phone: MORE_PX.phone + lines * DIVIDER_PX };
  const parts = { desk: Math.max(least, left.desk - cut.desk), phone: Math.max(least, left.phone - cut.phone) };
  // A text isn't cut if that would save no height.
  const whole = { desk: parts.desk + cut.desk - 2 * DIVIDER_PX, phone: parts.phone + cut.phone - 2 * DIVIDER_PX };
  return { kind: 'px', whole, parts };
}

const FEEDBACK_LIMIT = 280;
