// All that it takes to decide a request, in one modal.
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { button, context, divider } from '../../ui/blocks.ts';
import { type ApprovalKey, approvalKey, approvalValue, choices, keyOf, parse } from '../../ui/button-value.ts';
import { READABLE_LENGTH } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { changeBlocks, confirmingRepeat, ledByBlocks, repeatWarning, sameTextLine } from '../approval/card.ts';
import type { CardDetails } from '../approval/card-details.ts';
import { cardNames } from '../approval/card-state.ts';
import { passedOn, whoDecides } from '../approval/who-decides.ts';
import { editableText, sectionsOf } from '../edit/sections.ts';
import { type Turning, textPage } from '../reading/page.ts';

/** A request with one page of its text, counted from 0. */
interface Reviewed extends Pick<CardDetails, 'output' | 'notes' | 'deciders' | 'lastRound' | 'editsMade' | 'name'> {
  model: CardModel;
  /** Who started the run, escaped; null if it was started elsewhere. */
  starter: string | null;
  page: number;
}

/** The feedback of one person always fits. */
const FEEDBACK_LIMIT = 6_000;

/** All that it takes to decide a request: the whole text in pages, what led to it, and the choices. */
export function reviewModal(reviewed: Reviewed, say: Say): ModalView {
  const { model, output } = reviewed;
  return modal({
    callbackId: 'reviewing',
    title: say('review.title'),
    close: say('modal.close'),
    metadata: approvalValue(keyOf({ ...model, isRead: true })),
    blocks: [
      ...(output === null
        ? [...headBlocks(reviewed, '', say), ...historyBlocks(reviewed, say), context(`_${say('card.no-text')}_`)]
        : pageBlocks(reviewed, output, say)),
      ...reviewButtons(model, { notes: reviewed.notes, edit: isEditable(output) ? 'offered' : 'hidden' }, say),
    ],
  });
}

/** The crew's text stands between two dividers, so that nothing in it can be taken for ours. */
function pageBlocks(reviewed: Reviewed, output: string, say: Say): KnownBlock[] {
  const { model } = reviewed;
  const key = keyOf({ ...model, isRead: true });
  const turning: Turning = {
    previous: 'review_previous',
    next: 'review_next',
    jump: 'review_heading',
    valueFor: (page: number) => reviewPageValue(key, page),
  };
  const page = textPage(output, { page: reviewed.page, rest: say('reading.attached'), turning }, say);
  const where = page.count > 1 ? ` · ${say('page.of', { page: page.at + 1, count: page.count })}` : '';
  return [
    ...headBlocks(reviewed, where, say),
    ...(page.at === 0 ? historyBlocks(reviewed, say) : []),
    ...page.jump,
    divider(),
    ...page.text,
    divider(),
    ...page.turning,
  ];
}

/** What is asked and by whom, since when, who can decide, who has, and whom it was passed on to. */
function headBlocks({ model, deciders, starter, name, ...reviewed }: Reviewed, where: string, say: Say): KnownBlock[] {
  const asked = [
    ...(starter === null || deciders?.starter ? [] : [say('review.started-by', { name: starter })]),
    slackDate(model.askedAt, say, `${say('card.since')} `),
    ...whoDecides(model, deciders, { name, say }),
  ];
  const same = sameTextLine({ lastRound: reviewed.lastRound ?? null, say });
  const lines = [
    `*${cardNames(model, say)}*${where}`,
    ...(same === null ? [] : [same]),
    asked.join(' · '),
    ...(deciders ? passedOn(model, deciders, { name, say }) : []).map((line) => `➡️ ${line}`),
  ];
  return [context(lines.join('\n'))];
}

/** The feedback that asked for this round, and what changed since then. */
function historyBlocks({ model, name, editsMade = null, lastRound = null }: Reviewed, say: Say): KnownBlock[] {
  return [
    ...ledByBlocks(model, { editsMade, name, say }, FEEDBACK_LIMIT),
    ...changeBlocks(model, { lastRound, rendering: 'full', say }),
  ];
}

function isEditable(output: string | null): boolean {
  return output !== null && output.length <= READABLE_LENGTH && sectionsOf(editableText(output)).length === 1;
}

interface Choices {
  notes: 'offered' | 'hidden';
  /** Whether the text can be edited here: Slack shows three modals above one another, and a long text takes one more. */
  edit: 'offered' | 'hidden';
}

/** What can be decided about the text that is shown; the handlers are those of the card's buttons. */
function reviewButtons(model: CardModel, { notes, edit }: Choices, say: Say): KnownBlock[] {
  const key = keyOf({ ...model, isRead: true });
  const value = approvalValue(key);
  const approving = confirmingRepeat(model, 'card.approve-anyway', say);
  const requesting = confirmingRepeat(model, 'card.reject-anyway', say);
  return [
    ...repeatWarning(model, say),
    ...choices(key, {
      inRow: [
        button('approve', say('card.approve'), { value, style: 'primary', ...approving }),
        notes === 'offered'
          ? button('approve_with_note', say('card.approve-with-note'), { value, ...approving })
          : null,
        button('reject', say('card.reject'), { value, ...requesting }),
      ],
      inMenu: [
        edit === 'offered' ? { actionId: 'edit', label: say('card.edit') } : null,
        { actionId: 'who_can_decide', label: say('card.who') },
        { actionId: 'hand_over', label: say('card.hand-over') },
        model.votes.length > 0 ? { actionId: 'withdraw', label: say('card.withdraw') } : null,
      ],
    }),
  ];
}

/** What a button carries that leads to a page of the text of a request, counted from 0. */
function reviewPageValue(key: ApprovalKey, page: number): string {
  return JSON.stringify({ ...key, page });
}

const pageKey = approvalKey.extend({ page: z.number().int().min(0) });

/** Null if we didn't write the value. */
export function parseReviewPage(value: string): { key: ApprovalKey; page: number } | null {
  const found = parse(pageKey, value);
  if (!found) return null;
  const { page, ...key } = found;
  return { key, page };
}
