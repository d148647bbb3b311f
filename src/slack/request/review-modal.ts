// *Review*: the window in which people read a text, and decide if a request asks about it.
import type { KnownBlock, ModalView } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { NextStep } from '../../core/state/execution.ts';
import type { Millis } from '../../core/values/time.ts';
import type { Say } from '../language/say.ts';
import { button, context, divider, quote, section, sectionWith } from '../ui/blocks.ts';
import { keyOf, type ReviewKey, reviewValue, TITLE_LIMIT } from '../ui/button-value.ts';
import { reasonBlock } from '../ui/fields.ts';
import { FEEDBACK_LENGTH, READABLE_LENGTH } from '../ui/limits.ts';
import { hiddenLine } from '../ui/masking.ts';
import { modal, nextStepButtons } from '../ui/modal.ts';
import { nameIn } from '../ui/person.ts';
import { linesOf } from '../ui/rendered-height.ts';
import { cut, escapedLine, textProof } from '../ui/text/escape.ts';
import { slackDate } from '../ui/text/moment.ts';
import { type TextPage, textPage } from '../ui/text-page.ts';
import { wholeAnswer } from './answer-text.ts';
import type { CardDetails } from './card-details.ts';
import { cardTitle, requestTitle, sentText, stateSentence, stateSymbol, votesOn } from './card-state.ts';
import { decisionBlocks } from './choices.ts';
import { changeBlocks, editedBlocks, ledByBlocks, sameTextLine } from './last-round.ts';
import { completedStages, delegationLines, votesSoFar, whoDecides } from './who-decides.ts';

/** A request with what the reader can do about it. */
export interface ReviewedRequest
  extends Pick<CardDetails, 'notes' | 'edits' | 'deciders' | 'isLent' | 'lastRound' | 'editChange' | 'ticks' | 'name'> {
  model: CardModel;
}

/** The reason why a person can't decide, as mrkdwn with escaped names, and what they can do instead. */
export interface ReasonNotToDecide {
  text: string;
  next: NextStep;
}

/** A page of a text. */
export interface Reviewed {
  key: Pick<ReviewKey, 'ref' | 'hash' | 'title' | 'inbox'>;
  /** Null if the text is no longer stored. */
  text: string | null;
  /** Counted from 0. */
  page: number;
  /** Null for a text that no request asks about. */
  request: ReviewedRequest | null;
  /** Left out if the person can decide, or if there is nothing to decide. */
  whyNot?: ReasonNotToDecide | null;
  /** The reason why the text should be attached to the thread and isn't. Null if it is. */
  unattached?: string | null;
  /** True if it shows what the text hides. */
  isRevealed?: true | undefined;
  /** Outcome of the request that the same window showed before, and when this one took its place. */
  after?: { result: readonly KnownBlock[]; openedAt: Millis };
}

/**
 * Shows a text in pages. The first page says what is asked, who decides and what led to it. The buttons are there, and again at the end
 * of the text.
 */
export function reviewModal(reviewed: Reviewed, say: Say): ModalView {
  const { text, request, after, isRevealed } = reviewed;
  const { inbox } = reviewed.key;
  const { ref, hash, title = '' } = reviewed.key;
  const key = request
    ? keyOf({ ...request.model, isRead: true, inbox })
    : { ref, hash, title: cut(title, TITLE_LIMIT) };
  const valueFor = (page: number) => reviewValue.write({ ...key, page, isRevealed });
  const page =
    text === null ? null : textPage(text, { page: reviewed.page, rest: restOf(reviewed, say), valueFor }, say);
  const { at, isFirst, isLast } = page ?? { at: 0, isFirst: true, isLast: true };
  const isSeenAtOnce = isFirst && isShort(text ?? '');
  return modal(say, {
    callbackId: 'reviewing',
    title: inbox && inbox.of > 1 ? say('review.title', inbox) : say('review.button'),
    metadata: valueFor(at),
    blocks: [
      ...(after && after.result.length > 0 ? [...after.result, divider()] : []),
      ...headBlocks(reviewed, page, say),
      ...hiddenBlocks(reviewed, reviewValue.write({ ...key, page: at }), say),
      ...(isFirst ? choiceBlocks(reviewed, 'above', say) : []),
      ...(isFirst ? historyBlocks(request, 'above', say) : []),
      ...(isFirst && request?.model.why
        ? [reasonBlock(request.model.why, { program: request.model.byProgram, most: FEEDBACK_LENGTH, say })]
        : []),
      ...(page ? page.blocks : [context(textProof({ hash: key.hash ?? '', goneAt: null }, say))]),
      ...(isFirst ? historyBlocks(request, 'below', say) : []),
      ...(isLast && !isSeenAtOnce ? choiceBlocks(reviewed, 'end', say) : []),
    ],
  });
}

/** Says where the rest of a long text is: attached as a file for a request, otherwise on more pages. */
function restOf({ request, unattached = null }: Reviewed, say: Say): Parameters<typeof textPage>[1]['rest'] {
  return request && unattached === null
    ? { kind: 'elsewhere', text: say('review.attached') }
    : { kind: 'parts', text: unattached };
}

/** Lines that a window shows at once. A desk shows fewer lines than a phone, and a phone narrower ones. */
const SEEN_AT_ONCE = { lines: 12, perLine: 65 };

function isShort(text: string): boolean {
  const { lines, perLine } = SEEN_AT_ONCE;
  return linesOf(text.slice(0, (lines + 1) * perLine), perLine) <= lines;
}

function headBlocks(reviewed: Reviewed, page: TextPage | null, say: Say): KnownBlock[] {
  const { key, request, whyNot = null } = reviewed;
  const title = request ? requestTitle(request.model, say) : `*${escapedLine(key.title ?? '', TITLE_LIMIT)}*`;
  const where = page && page.count > 1 ? [say('page.of', { page: page.at + 1, count: page.count })] : [];
  const heading = [title, ...where].join(' · ');
  if (page && !page.isFirst) return [context(heading)];
  const lines = [heading, ...(request ? introLines(request, whyNot, say) : [])];
  return [
    context(lines.join('\n')),
    ...(whyNot ? reasonBlocks(request, whyNot, say) : request ? outcomeBlocks(request, say) : []),
  ];
}

/** Says who asked. For a request that waits, also since when, and who decides unless the window says why the reader can't. */
function introLines(
  { model, deciders, name, lastRound }: ReviewedRequest,
  whyNot: ReasonNotToDecide | null,
  say: Say,
): string[] {
  const { starter, state } = model;
  const isOpen = state.kind === 'pending';
  const isDecidable = isOpen && whyNot === null;
  // If the starter can't decide, the words about who decides name them.
  const isNamed = starter !== null && !(isDecidable && deciders?.starter);
  const facts = [
    ...(isNamed ? [say('review.started-by', { name: nameIn(name, starter) })] : []),
    ...(isOpen ? [slackDate(model.askedAt, say, `${say('card.since')} `)] : []),
    ...(isDecidable ? whoDecides(model, deciders, { name, say }) : []),
  ];
  const others = isOpen && deciders ? delegationLines(model, deciders, { name, say }) : [];
  return [
    sameTextLine({ lastRound: lastRound ?? null, say }) ?? '',
    facts.join(' · '),
    ...others.map((line) => `➡️ ${line}`),
  ].filter((line) => line !== '');
}

/** Says why the person can't decide, who can, and who has. */
function reasonBlocks(request: ReviewedRequest | null, { text, next }: ReasonNotToDecide, say: Say): KnownBlock[] {
  const parts = [text];
  if (request) {
    const { model, deciders, name } = request;
    const words = { name, say };
    parts.push(...completedStages(model, deciders, words), votesSoFar(model, deciders, words));
  }
  return [section(parts.filter((part) => part !== '').join(' · ')), ...nextStepButtons(next, say)];
}

/** Says what became of a request, and what the crew gets with the decision. */
function outcomeBlocks({ model, name }: ReviewedRequest, say: Say): KnownBlock[] {
  const { state } = model;
  if (state.kind === 'pending') return [];
  const decision = 'decision' in state ? state.decision : null;
  const at = state.kind === 'expired' ? state.expiredAt : decision?.at;
  const parts = [
    `${stateSymbol(state)} *${cardTitle(model, { name, say })}*`,
    at === undefined ? '' : slackDate(at, say),
    stateSentence(model, { name, say }),
  ];
  const message = decision && sentText(decision, votesOn(model));
  return [
    section(parts.filter(Boolean).join(' · ')),
    ...(decision?.answer ? wholeAnswer(decision.answer, model.fields ?? []) : []),
    ...(message ? [context(say('review.told')), quote(message, FEEDBACK_LENGTH)] : []),
  ];
}

/** Says what the text hides, with the button that shows it to people who can decide. */
function hiddenBlocks(reviewed: Reviewed, value: string, say: Say): KnownBlock[] {
  if (reviewed.isRevealed) return [context(`🔓 ${say('hidden.revealed')}`)];
  const line = hiddenLine(reviewed.text, say);
  if (line === null) return [];
  if (decidableIn(reviewed) === null) return [context(line)];
  return [sectionWith(line, button('reveal', say('hidden.show'), { value }))];
}

function decidableIn({ request, whyNot = null }: Reviewed): ReviewedRequest | null {
  return whyNot === null && request?.model.state.kind === 'pending' ? request : null;
}

function choiceBlocks(reviewed: Reviewed, place: 'above' | 'end', say: Say): KnownBlock[] {
  const request = decidableIn(reviewed);
  if (!request) return [];
  const { key, text, after } = reviewed;
  const { model, deciders, isLent, notes } = request;
  const edits = text !== null && text.length <= READABLE_LENGTH ? request.edits : 'hidden';
  const policies = deciders?.policies ?? [];
  const options = { key: keyOf({ ...model, isRead: true, inbox: key.inbox }), openedAt: after?.openedAt, policies };
  return decisionBlocks(model, { ...options, isLent, notes, edits, place }, say);
}

/** Longer feedback is below the text, so that people see the beginning of the text at once. */
const SHORT_FEEDBACK = 200;

function historyBlocks(request: ReviewedRequest | null, place: 'above' | 'below', say: Say): KnownBlock[] {
  if (!request) return [];
  const { model, name, ticks = [], lastRound = null, editChange = null } = request;
  const isShort = (model.ledBy?.feedback?.length ?? 0) <= SHORT_FEEDBACK;
  const isHere = isShort === (place === 'above');
  return [
    ...(isHere ? ledByBlocks(model, { ticks, name, say }, FEEDBACK_LENGTH) : []),
    ...(place === 'above' ? editedBlocks(model, { editChange, name, say }) : []),
    ...(place === 'above' ? changeBlocks(model, { lastRound, rendering: 'full', say }) : []),
  ];
}
