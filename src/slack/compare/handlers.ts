import { showModal, tellNoLongerKnown } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ActionListener } from '../interaction/listeners.ts';
import { updateModal } from '../interaction/modals.ts';
import { type CompareKey, parseCompareValue } from './compare-key.ts';
import { compareModal } from './compare-modal.ts';
import { compareTexts } from './compare-texts.ts';
import type { Comparison } from './comparison.ts';

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
