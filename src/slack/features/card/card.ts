// The card of an open request for human input.
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
  lostLines,
  noteLines,
  passedOn,
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
import type { Words } from '../../ui/person.ts';
import { excerptOf, foreignText, moreText, type Room } from '../../ui/plain-blocks.ts';
import { blocksHeight, DESK, PHONE } from '../../ui/rendered-height.ts';
import { hiddenLine } from '../../ui/shown.ts';
import { calledTool, type Structure, structureIn } from '../../ui/structure.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { wholeTextBlocks } from '../../ui/whole-text.ts';

const EXCERPT_LENGTH = 600;
const LONGEST_ABOUT = 120;
const LONGEST_CREW = 40;

/** What an open card that can't be updated any more would show. The card has the buttons, so the follow-up has none. */
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
 * What there is to decide. Our own text comes first and last; the crew's output is one block between two dividers, so that nothing in it can be taken
 * for the state of the request. Where it is cut, it stands between the small text of the first round and a container.
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

/** Whether no round led to this one. */
function isFirst({ ledBy }: CardModel, { lastRound = null }: CardDetails): boolean {
  return ledBy === null && lastRound === null;
}

/** Whose run it is, what it is about, who started it, and what led to this round. The message itself shows since when it waits. */
function askedBlocks(model: CardModel, details: CardDetails & { tool: string | null }): KnownBlock[] {
  const { output, lastRound = null, name, tool, say } = details;
  const led = isFirst(model, details) ? '' : ledByText(model, details);
  const parts = [
    ...toolTexts(model, tool),
    crewIn(model),
    aboutIn(model, output),
    saysStarter(model, details) ? '' : startedBy(model, { name, say }),
    led || laterRound(model, say),
  ];
  const same = (lastRound && sameTextLine({ lastRound, say })) ?? '';
  const inputs = inputsLine(model.inputs ?? {}, details.labelOf ?? String, say);
  return contextLine([same, parts.filter(Boolean).join(' · '), inputs].filter(Boolean).join('\n'));
}

/** The crew; empty where a program of its name asks. */
function crewIn({ crew, byProgram }: CardModel): string {
  return crew === byProgram ? '' : escapedLine(crew, LONGEST_CREW);
}

/** Whether the line of those who decide names the starter, who may not. */
function saysStarter({ undecidable }: CardModel, { deciders }: CardDetails): boolean {
  return deciders !== null && deciders.starter !== null && !undecidable?.isLeftToNobody;
}

/** The tool as the agent names it, since the heading has what it does, and a task of another name, which rules may depend on. */
function toolTexts({ taskName }: CardModel, tool: string | null): string[] {
  if (tool === null) return [];
  return [taskName === tool ? '' : escapedLine(taskName ?? '', LONGEST_ABOUT), `\`${tool}\``];
}

/** What the text hides, with the way to see it. */
function hiddenBlocks(model: CardModel, { output, say }: CardDetails): KnownBlock[] {
  const line = hiddenLine(output, say);
  return line === null ? [] : [sectionWith(line, reviewButton(model, say))];
}

/** What tells the request from others; empty where the text begins with it, or its inputs are shown. */
function aboutIn({ about, inputs }: CardModel, output: string | null): string {
  return inputs !== undefined || about === headingOf(output ?? '') ? '' : escapedLine(about, LONGEST_ABOUT);
}

/**
 * Who can decide, who has voted, and to whom it was passed on, next to the buttons. Mentions stand in a section: nothing says that
 * Slack notifies those whom a context block mentions.
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
    ...(deciders ? passedOn(model, deciders, { name, say }).map((line) => `➡️ ${line}`) : []),
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

/** A locked phone shows only its beginning. */
function notification(model: CardModel, details: CardDetails & { structure: Structure | null }): string {
  const { output, name, rendering, deciders, lastRound = null, structure, say } = details;
  const excerpt =
    output === null || rendering === 'bare' ? '' : excerptOf(output, { structure, most: EXCERPT_LENGTH, say });
  const [first = '', ...more] = excerpt.split('\n');
  const heading = [escapeMrkdwn(cardHeading(model, say, calledTool(structure))), escapedLine(model.crew, LONGEST_CREW)];
  const about = aboutIn(model, output);
  const lines = [
    [...heading, about].filter(Boolean).join(' · '),
    (lastRound && sameTextLine({ lastRound, say })) ?? '',
    ...(lastRound ? changeLines({ lastRound, rendering, say }) : []),
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
 * The output, whole if there is room for it; otherwise its beginning, what is missing, and all of it in a container or the way to read
 * it. Where a crew has a `preview` of its own, a revised text has half as much: what changed stands above it.
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
  const shown = output === null ? null : foreignText(output, { structure, room, rendering, say });
  const why = output === null ? 'card.no-text' : 'card.empty-text';
  const blocks = shown ? shown.blocks : [context(`_${say(why)}_`)];
  const read = reviewButton(model, say);
  const more = shown?.left ? moreText(shown.left, say) : null;
  const hidden = model.ledBy ? feedbackLeftOut(model, details, FEEDBACK_LIMIT) : null;
  const whole =
    output !== null && more !== null && rendering === 'full'
      ? wholeTextBlocks({ text: output, more, structure, others: [...others, ...blocks], say })
      : [];
  const missing = [whole.length === 0 ? more : null, hidden].filter((line) => line !== null);
  if (missing.length > 0) return [...blocks, sectionWith(missing.join(' · '), read), ...whole];
  return rendering === 'bare' ? [...blocks, ...buttons(read)] : [...blocks, ...whole];
}

/** What a card may be high: half a desk, and one screen of a phone without the bars above and below. */
const CARD_PX = { desk: 480, phone: 800 };
/** The frame of a message: its author, what it replies to, and the space around it. */
const FRAME_PX = { desk: 62, phone: 81 };
/** However much else the first card of a text has, it shows so much of it. On later ones, what changed stands above it. */
const LEAST_PX = 66;
/** A line above or below the text. */
const DIVIDER_PX = 17;
/** The container or the button below a text that is cut. */
const MORE_PX = { desk: 52, phone: 74 };
/** Between the text and what is above it. */
const GAP_PX = 8;
/** Longer texts have a button in place of a container. */
const LONGEST_FOLDED = 9_000;

/** `lines`: how many dividers a text has that is cut. */
function roomBeside(others: readonly KnownBlock[], { isFirst, lines }: { isFirst: boolean; lines: number }): Room {
  const least = isFirst ? LEAST_PX : 0;
  const left = {
    desk: CARD_PX.desk - FRAME_PX.desk - GAP_PX - blocksHeight(others, DESK),
    phone: CARD_PX.phone - FRAME_PX.phone - GAP_PX - blocksHeight(others, PHONE),
  };
  const cut = { desk: MORE_PX.desk + lines * DIVIDER_PX, phone: MORE_PX.phone + lines * DIVIDER_PX };
  const parts = { desk: Math.max(least, left.desk - cut.desk), phone: Math.max(least, left.phone - cut.phone) };
  // A text that would be no higher than its beginning with what is below that isn't cut.
  const whole = {
    desk: parts.desk + cut.desk - 2 * DIVIDER_PX,
    phone: parts.phone + cut.phone - 2 * DIVIDER_PX,
  };
  return { kind: 'px', whole, parts };
}

const FEEDBACK_LIMIT = 280;
