// All that it takes to decide a request, in one modal.
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Millis } from '../../core/values/time.ts';
import type { Say } from '../language/say.ts';
import { button, context, divider, sectionWith } from '../ui/blocks.ts';
import { approvalKey, approvalValue, codec, keyOf, pageNumber } from '../ui/button-value.ts';
import { FEEDBACK_LENGTH, READABLE_LENGTH } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { nameIn } from '../ui/person.ts';
import { hiddenLine } from '../ui/shown.ts';
import { slackDate } from '../ui/text/moment.ts';
import { type TextPage, textPage } from '../ui/text-page.ts';
import { restOf } from './attached-file.ts';
import type { CardDetails } from './card-details.ts';
import { requestTitle } from './card-state.ts';
import { decisionBlocks } from './choices.ts';
import { changeBlocks, ledByBlocks, sameTextLine } from './last-round.ts';
import { passedOn, whoDecides } from './who-decides.ts';

/** A request with one page of its text, counted from 0. */
export interface Reviewed
  extends Pick<CardDetails, 'output' | 'notes' | 'edits' | 'deciders' | 'isLent' | 'lastRound' | 'editsMade' | 'name'> {
  model: CardModel;
  page: number;
  /** Why a text that should be attached isn't; null if it is. */
  unattached?: string | null;
  /** Whether it shows what the text hides. */
  isRevealed?: true | undefined;
  /** What came of the request that was shown before in the same window, and when this one took its place. */
  after?: { result: readonly KnownBlock[]; openedAt: Millis };
}

/** All that it takes to decide a request: what is asked, the choices, and the whole text in pages with what led to it. */
export function reviewModal(reviewed: Reviewed, say: Say): ModalView {
  const { model, output, notes, deciders, isLent, isRevealed, after, unattached = null } = reviewed;
  const key = keyOf({ ...model, isRead: true });
  const valueFor = (page: number) => reviewPage.write({ ...key, page, isRevealed });
  const wanted = { page: reviewed.page, rest: restOf(unattached, say), of: 'review', valueFor } as const;
  const page = output === null ? null : textPage(output, wanted, say);
  const isFirst = page === null || page.at === 0;
  const edits = output !== null && output.length <= READABLE_LENGTH ? reviewed.edits : 'hidden';
  return modal(say, {
    callbackId: 'reviewing',
    title: say('review.button'),
    metadata: approvalValue(key),
    blocks: [
      ...(after ? [...after.result, divider()] : []),
      ...headBlocks(reviewed, page, say),
      ...hiddenBlocks(reviewed, reviewPage.write({ ...key, page: page?.at ?? 0 }), say),
      ...decisionBlocks(
        model,
        { key, openedAt: after?.openedAt, policies: deciders?.policies ?? [], isLent, notes, edits },
        say,
      ),
      ...(isFirst ? historyBlocks(reviewed, 'above', say) : []),
      ...(page ? page.blocks : [context(`_${say('card.no-text')}_`)]),
      ...(isFirst ? historyBlocks(reviewed, 'below', say) : []),
    ],
  });
}

function headBlocks({ model, deciders, name, ...reviewed }: Reviewed, page: TextPage | null, say: Say): KnownBlock[] {
  const { starter } = model;
  const asked = [
    ...(starter === null || deciders?.starter ? [] : [say('review.started-by', { name: nameIn(name, starter) })]),
    slackDate(model.askedAt, say, `${say('card.since')} `),
    ...whoDecides(model, deciders, { name, say }),
  ];
  const where = page && page.count > 1 ? ` · ${say('page.of', { page: page.at + 1, count: page.count })}` : '';
  const same = sameTextLine({ lastRound: reviewed.lastRound ?? null, say });
  const lines = [
    `${requestTitle(model, say)}${where}`,
    ...(same === null ? [] : [same]),
    asked.join(' · '),
    ...(deciders ? passedOn(model, deciders, { name, say }) : []).map((line) => `➡️ ${line}`),
  ];
  return [context(lines.join('\n'))];
}

/** What the text hides, with the button that shows it. */
function hiddenBlocks({ output, isRevealed }: Reviewed, value: string, say: Say): KnownBlock[] {
  if (isRevealed) return [context(`🔓 ${say('hidden.revealed')}`)];
  const line = hiddenLine(output, say);
  return line === null ? [] : [sectionWith(line, button('reveal', say('hidden.show'), { value }))];
}

/** Longer feedback stands below the text, so that the beginning of that can be seen at once. */
const SHORT_FEEDBACK = 200;

function historyBlocks(
  { model, name, editsMade = null, lastRound = null }: Reviewed,
  place: 'above' | 'below',
  say: Say,
): KnownBlock[] {
  const isShort = (model.ledBy?.feedback?.length ?? 0) <= SHORT_FEEDBACK;
  const isHere = isShort === (place === 'above');
  return [
    ...(isHere ? ledByBlocks(model, { editsMade, name, say }, FEEDBACK_LENGTH) : []),
    ...(place === 'above' ? changeBlocks(model, { lastRound, rendering: 'full', say }) : []),
  ];
}

export const reviewPage = codec(approvalKey.extend({ page: pageNumber, isRevealed: z.literal(true).optional() }));
