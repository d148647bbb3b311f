import { showModal, tellNoLongerKnown } from '../interaction/answers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { updateModal } from '../interaction/modals.ts';
import { parseTextValue } from '../ui/button-value.ts';
import { textProof } from '../ui/text/text-proof.ts';
import { parsePage, readAllModal } from './read-all-modal.ts';

export const onReadAll: OnClick = async (context, click, ack) => {
  const key = parseTextValue(click.value);
  const text = key && (await context.outputs.get(key.ref, key.hash));
  await ack();
  if (!key) return tellNoLongerKnown(context, click);
  const gone = text === null ? textProof({ hash: key.hash, goneAt: null }, await context.say()) : null;
  await showModal(context, click, readAllModal({ key, text, page: 0, gone }));
};

export const onTurnPage: OnClick = async (context, { value, view }, ack) => {
  const wanted = parsePage(value);
  const text = wanted && (await context.outputs.get(wanted.key.ref, wanted.key.hash));
  await ack();
  if (!wanted || !view) return;
  const { key, page } = wanted;
  await updateModal(context, { viewId: view.id, hash: view.hash }, readAllModal({ key, text, page }));
};
