import { updateView } from '../kickoff-window.ts';
import { activityModal, MOST_STEPS } from '../views/activity-modal.ts';
import { parseTextValue } from '../views/button-value.ts';
import { parsePage, readAllModal } from '../views/read-all-modal.ts';
import { tellRefusal } from './decision.ts';
import type { OnClick } from './handlers.ts';

export const onReadAll: OnClick = async (desk, click, ack) => {
  await ack();
  const key = parseTextValue(click.value);
  if (!key) return tellRefusal(desk, click, { kind: 'unknown' });
  const text = await desk.outputs.get(key.ref, key.hash);
  await desk.answers.open(click, readAllModal({ key, text, page: 0 }));
};

export const onTurnPage: OnClick = async (desk, { value, view }, ack) => {
  await ack();
  const wanted = parsePage(value);
  if (!wanted || !view) return;
  const { key, page } = wanted;
  const text = await desk.outputs.get(key.ref, key.hash);
  await updateView(desk, { viewId: view.id, hash: view.hash }, readAllModal({ key, text, page }));
};

export const onShowActivity: OnClick = async (desk, click, ack) => {
  await ack();
  const found = await desk.store.load(click.value);
  if (!found) return tellRefusal(desk, click, { kind: 'unknown' });
  const steps = await desk.activity.latest(click.value, MOST_STEPS);
  await desk.answers.open(click, activityModal(steps, { crew: found.execution.crew }));
};
