// The modal that shows what changed between two rounds, page by page.
import type { KnownBlock, ModalView } from '@slack/types';
import { showModal, tellNoLongerKnown } from '../../app/answers.ts';
import { clickOf } from '../../app/click.ts';
import type { ActionListener, ListenerContext } from '../../app/context.ts';
import { updateModal } from '../../app/modals.ts';
import type { Say } from '../../language/say.ts';
import { context } from '../../ui/blocks.ts';
import { TITLE_LIMIT } from '../../ui/button-value.ts';
import { modal, pageTurning, pageWithin } from '../../ui/modal.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { type CompareKey, compareValue, parseCompareValue } from './button.ts';
import { compareTexts } from './compare-texts.ts';
import type { ComparedLine, Comparison } from './comparison.ts';
import { rowPages, rowsOf, shownRows } from './rows.ts';
import { summaryOf, summaryText } from './summary.ts';

export const onCompare: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const wanted = parseCompareValue(click.value);
  const comparison = wanted && (await comparisonOf(context, wanted.key));
  await ack();
  if (!wanted) return tellNoLongerKnown(context, click);
  await showModal(context, click, compareModal(await context.say(), { ...wanted, comparison }));
};

export const onTurnComparison: ActionListener = async ({ ack, body, context }) => {
  const { value, view } = clickOf(body);
  const wanted = parseCompareValue(value);
  const comparison = wanted && (await comparisonOf(context, wanted.key));
  await ack();
  if (!wanted || !view) return;
  const shown = compareModal(await context.say(), { ...wanted, comparison });
  await updateModal(context, { viewId: view.id, hash: view.hash }, shown);
};

async function comparisonOf(
  { outputs }: ListenerContext,
  { ref, before, after }: CompareKey,
): Promise<Comparison | null> {
  const [one, other] = await Promise.all([outputs.get(ref, before), outputs.get(ref, after)]);
  return one === null || other === null ? null : compareTexts(one, other);
}

/** One page of a comparison, counted from 0. */
interface ComparedPage {
  key: CompareKey;
  /** Null if one of the texts is no longer stored. */
  comparison: Comparison | null;
  page: number;
}

/** Two texts as one, in pages. `parseCompareValue` reads the buttons' values. */
export function compareModal(say: Say, { key, comparison, page }: ComparedPage): ModalView {
  const task = escapedLine(key.title, TITLE_LIMIT);
  const rounds = say('compare.rounds', { task: `*${task}*`, before: key.round - 1, after: key.round });
  return modal({
    callbackId: 'comparing',
    title: say('compare.title'),
    close: say('modal.close'),
    metadata: compareValue(key),
    blocks: [context(rounds), ...comparisonBlocks(say, { key, comparison, page })],
  });
}

function comparisonBlocks(say: Say, { key, comparison, page }: ComparedPage): KnownBlock[] {
  if (!comparison) return [context(say('compare.gone'))];
  switch (comparison.kind) {
    case 'same':
      return [context(say('compare.same'))];
    case 'unseen':
      return [context(say('compare.unseen'))];
    case 'too-large':
      return [context(say('compare.too-large'))];
    case 'compared':
      return pageBlocks(say, { key, lines: comparison.lines, page });
  }
}

function pageBlocks(
  say: Say,
  { key, lines, page }: { key: CompareKey; lines: readonly ComparedLine[]; page: number },
): KnownBlock[] {
  const { pages, isCut } = rowPages(rowsOf(lines));
  const count = pages.length;
  const at = pageWithin(page, count);
  return [
    context(summaryText(say, summaryOf(lines)), say('compare.legend')),
    shownRows(pages[at] ?? [], (lines) => say('compare.left-out', { count: lines })),
    ...(isCut && at === count - 1 ? [context(say('compare.cut'))] : []),
    ...pageTurning(say, {
      at,
      count,
      previous: 'compare_previous',
      next: 'compare_next',
      valueFor: (wanted) => compareValue(key, wanted),
    }),
  ];
}
