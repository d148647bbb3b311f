// The card of an open request for human input.
import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { headingOf } from '../../../core/state/about.ts';
import type { Say } from '../../language/say.ts';
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
import { quotedPoints } from '../../request/quoted-points.ts';
import { inputsLine, startedBy } from '../../request/status-text.ts';
import {
  decisionLines,
  lostLines,
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
import { listed, type Words } from '../../ui/person.ts';
import { foreignMarkdown } from '../../ui/plain-blocks.ts';
import { hiddenLine } from '../../ui/shown.ts';
import { cut, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { type Heading, plainWords, titleOf } from '../../ui/text/markdown.ts';

const EXCERPT_LENGTH = 600;
const LONGEST_ABOUT = 120;

/** What an open card that can't be updated any more would show. The card has the buttons, so the follow-up has none. */
export function openCardFollowUp(model: CardModel, details: CardDetails): Rendered {
  const { say } = details;
  const text = say('follow-up.open-card');
  return rendered(`${escapeMrkdwn(cardHeading(model, say))}\n${text}`, [
    section(`*${escapeMrkdwn(cardHeading(model, say))}*`),
    ...askedBlocks(model, details),
    ...decidersBlocks(model, details),
    context(text),
  ]);
}

/**
 * What there is to decide. Our own text comes first and last; the crew's output is one block between two dividers, so that nothing in it can be taken
 * for the state of the request.
 */
export function openCard(model: CardModel, details: CardDetails): Rendered {
  const { deciders, isLent, notes, edits, say } = details;
  return rendered(notification(model, details), [
    header(cardHeading(model, say)),
    ...askedBlocks(model, details),
    ...hiddenBlocks(model, details),
    ...editedBlocks(model, details),
    ...(isFirst(model, details)
      ? []
      : [...feedbackBlocks(model, details, FEEDBACK_LIMIT), ...changeBlocks(model, details)]),
    divider(),
    ...whyBlocks(model, say),
    ...gistBlocks(model, details),
    divider(),
    ...decidersBlocks(model, details),
    ...(deciders === null
      ? [section(`🔌 ${missingCrewText(model, say)}`)]
      : decisionBlocks(model, { key: keyOf(model), policies: deciders.policies, isLent, notes, edits }, say)),
  ]);
}

const WHY_LIMIT = 600;

/** What the asker says for itself, marked so that nobody takes it for our own words. */
function whyBlocks({ why = '' }: CardModel, say: Say): KnownBlock[] {
  return why === '' ? [] : [context(say('card.agent-says')), quotedPoints(why, WHY_LIMIT)];
}

/** Whether no round led to this one. */
function isFirst({ ledBy }: CardModel, { lastRound = null }: CardDetails): boolean {
  return ledBy === null && lastRound === null;
}

/** What it is about, who started the run, and what led to this round. The message itself shows since when it waits. */
function askedBlocks(model: CardModel, details: CardDetails): KnownBlock[] {
  const { output, lastRound = null, name, say } = details;
  const parts = [
    aboutIn(model, output),
    saysStarter(model, details) ? '' : startedBy(model, { name, say }),
    laterRound(model, say),
    isFirst(model, details) ? '' : ledByText(model, details),
  ];
  const same = (lastRound && sameTextLine({ lastRound, say })) ?? '';
  const inputs = inputsLine(model.inputs ?? {}, details.labelOf ?? String, say);
  return contextLine([same, parts.filter(Boolean).join(' · '), inputs].filter(Boolean).join('\n'));
}

/** Whether the line of those who decide names the starter, who may not. */
function saysStarter({ undecidable }: CardModel, { deciders }: CardDetails): boolean {
  return deciders !== null && deciders.starter !== null && !undecidable?.isLeftToNobody;
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
function notification(
  model: CardModel,
  { output, name, rendering, deciders, lastRound = null, say }: CardDetails,
): string {
  const excerpt = output === null || rendering === 'bare' ? '' : plainWords(cut(output, EXCERPT_LENGTH));
  const [first = '', ...more] = excerpt.split('\n');
  const heading = [escapeMrkdwn(cardHeading(model, say)), aboutIn(model, output)].filter(Boolean).join(' · ');
  const lines = [
    heading,
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
 * The beginning of the output and, where something is hidden, what it is and where to read it. Of a text that was revised, half as
 * much as of a new one: what changed stands above it.
 */
function gistBlocks(model: CardModel, details: CardDetails): KnownBlock[] {
  const { output, preview, rendering, say } = details;
  const leftOut = model.ledBy ? feedbackLeftOut(model, details, FEEDBACK_LIMIT) : null;
  const most = model.ledBy?.feedback ? Math.ceil(preview / 2) : preview;
  const shown = output === null ? null : foreignMarkdown(output, { most, rendering, say });
  const why = output === null ? 'card.no-text' : 'card.empty-text';
  const blocks = shown ? shown.blocks : [context(`_${say(why)}_`)];
  const missing = [...(shown?.isCut ? [missingText(shown, model, say)] : []), ...(leftOut === null ? [] : [leftOut])];
  const read = reviewButton(model, say);
  if (missing.length > 0) return [...blocks, sectionWith(missing.join(' · '), read)];
  return rendering === 'bare' ? [...blocks, ...buttons(read)] : blocks;
}

/** Others are only counted: this is one line. */
const MOST_HEADINGS = 2;

function missingText({ shown, left }: { shown: number; left: readonly Heading[] }, model: CardModel, say: Say): string {
  // What is cut is never all of it, and never nothing.
  const share = Math.min(0.99, Math.max(0.01, shown / model.output.length));
  if (left.length === 0) return say('card.showing', { share });
  const headings = left.map((heading) => `*${escapedLine(titleOf(heading), 30)}*`);
  return say('card.showing-without', { share, headings: listed(headings, say, { most: MOST_HEADINGS }) });
}

const FEEDBACK_LIMIT = 280;
