// *Compare*: the window that shows what changed between two texts, page by page.
import type { KnownBlock, ModalView } from '@slack/types';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import { HANDED_OVER } from '../../../core/policy/permits.ts';
import type { Policy } from '../../../core/policy/policy.ts';
import type { Say } from '../../language/say.ts';
import { answerNotFound, showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext } from '../../listening/context.ts';
import { modalAsSeen, updateModal } from '../../listening/modals.ts';
import { commentsOf } from '../../request/card-details.ts';
import { findIfDecidable } from '../../request/change-request.ts';
import { decisionBlocks } from '../../request/choices.ts';
import { button, context, divider, sectionWith } from '../../ui/blocks.ts';
import { approvalValue, type InboxPlace, keyOf, parseApprovalValue, TITLE_LIMIT } from '../../ui/button-value.ts';
import { type CompareKey, comparedPage, compareValue } from '../../ui/comparison/button.ts';
import type { Comparison } from '../../ui/comparison/comparison.ts';
import { findComparison } from '../../ui/comparison/find-change.ts';
import { isOnlyLayout, rowPages, rowsOf, shownRows } from '../../ui/comparison/rows.ts';
import { READABLE_LENGTH } from '../../ui/limits.ts';
import { modal, pageTurning, pageWithin } from '../../ui/modal.ts';
import { escapedLine } from '../../ui/text/escape.ts';

/** Shows a page. In a window, it replaces the content, so that there is room for forms on top. */
export const onCompare: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const pageKey = comparedPage.read(click.value);
  const content =
    pageKey && (await Promise.all([findComparison(context.outputs, pageKey), findDecidable(context, pageKey)]));
  await ack();
  if (!pageKey || !content) return answerNotFound(context, click);
  const [comparison, decidable] = content;
  const { page, ...key } = pageKey;
  const inbox = parseApprovalValue(click.view?.private_metadata)?.inbox;
  const view = compareModal(await context.say(), { key, page, comparison, decidable, inbox });
  if (click.view) await updateModal(context, modalAsSeen(click.view), view);
  else await showModal(context, click, view);
};

/** Returns the request about the newer text, if it waits and this person could decide it. Throws `StoreUnavailable`. */
async function findDecidable(
  context: ListenerContext,
  { ref, approvalId, after }: CompareKey,
): Promise<Decidable | null> {
  const decidable = approvalId === undefined ? null : await findIfDecidable(context, { ref, approvalId, hash: after });
  if (!decidable?.ok) return null;
  const { execution, request, policies, rule } = decidable.value;
  const model = cardModel(execution, request);
  const comments = commentsOf(context.crews.get(execution.crew), policies, model);
  return { model, policies, isLent: rule === HANDED_OVER, ...comments };
}

interface Decidable extends ReturnType<typeof commentsOf> {
  model: CardModel;
  policies: readonly Policy[];
  isLent: boolean;
}

/** One page of a comparison, counted from 0. */
interface ComparedPage {
  key: CompareKey;
  /** Null if one of the texts is no longer stored. */
  comparison: Comparison | null;
  decidable: Decidable | null;
  page: number;
  inbox?: InboxPlace | undefined;
}

/** Shows two texts as one, below the buttons for the newer one. `comparedPage` reads the values of the page buttons. */
export function compareModal(say: Say, compared: ComparedPage): ModalView {
  const { key, decidable, inbox } = compared;
  return modal(say, {
    callbackId: 'comparing',
    title: say('compare.title'),
    // The entries of the menu are about the text that the window shows.
    metadata: decidable ? approvalValue(keyOf({ ...decidable.model, isRead: true, inbox })) : compareValue(key),
    blocks: [...headBlocks(say, compared), ...comparisonBlocks(say, compared)],
  });
}

function headBlocks(say: Say, { key, decidable, inbox }: ComparedPage): KnownBlock[] {
  const task = escapedLine(key.title, TITLE_LIMIT);
  const rounds = key.isEdited
    ? say('compare.edited', { task: `*${task}*` })
    : key.round === undefined
      ? say('compare.approved', { task: `*${task}*` })
      : say('compare.rounds', { task: `*${task}*`, before: key.round - 1, after: key.round });
  if (!decidable) return [context(rounds)];
  const { model, policies, isLent, notes } = decidable;
  const edits = model.output.length <= READABLE_LENGTH ? decidable.edits : 'hidden';
  const read = keyOf({ ...model, isRead: true, inbox });
  return [
    sectionWith(rounds, button('review', say('compare.whole'), { value: approvalValue(read) })),
    ...decisionBlocks(model, { key: read, policies, isLent, notes, edits }, say),
  ];
}

function comparisonBlocks(say: Say, { key, comparison, page }: ComparedPage): KnownBlock[] {
  if (comparison?.kind !== 'compared') return [context(say(`compare.${comparison?.kind ?? 'gone'}`))];
  const { lines } = comparison;
  const { pages, isCut } = rowPages(rowsOf(lines));
  const count = pages.length;
  const at = pageWithin(page, count);
  return [
    context(say(isOnlyLayout(lines) ? 'compare.layout' : 'compare.legend')),
    divider(),
    shownRows(pages[at] ?? [], (leftOut) => say('compare.left-out', { count: leftOut })),
    divider(),
    ...(isCut && at === count - 1 ? [context(say('compare.cut'))] : []),
    ...pageTurning(say, { at, count, of: 'compare', valueFor: (other) => compareValue(key, other) }),
  ];
}
