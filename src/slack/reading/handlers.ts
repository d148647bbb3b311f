import { tellRefusal } from '../approval/decision.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { updateView } from '../kickoff/form-window.ts';
import { activityModal, MOST_STEPS } from '../run/activity-modal.ts';
import { parseTextValue } from '../ui/button-value.ts';
import { parsePage, readAllModal } from './read-all-modal.ts';

export const onReadAll: OnClick = async (desk, click, ack) => {
  const key = parseTextValue(click.value);
  const text = key && (await desk.outputs.get(key.ref, key.hash));
  await ack();
  if (!key) return tellRefusal(desk, click, { kind: 'unknown' });
  await desk.answers.open(click, readAllModal({ key, text, page: 0 }));
};

export const onTurnPage: OnClick = async (desk, { value, view }, ack) => {
  const wanted = parsePage(value);
  const text = wanted && (await desk.outputs.get(wanted.key.ref, wanted.key.hash));
  await ack();
  if (!wanted || !view) return;
  const { key, page } = wanted;
  await updateView(desk, { viewId: view.id, hash: view.hash }, readAllModal({ key, text, page }));
};

export const onShowActivity: OnClick = async (desk, click, ack) => {
  const found = await desk.store.load(click.value);
  const steps = found ? await desk.activity.latest(click.value, MOST_STEPS) : [];
  await ack();
  if (!found) return tellRefusal(desk, click, { kind: 'unknown' });
  await desk.answers.open(click, activityModal(steps, { crew: found.execution.crew }));
};
