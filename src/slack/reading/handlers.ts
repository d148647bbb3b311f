import { tellRefusal } from '../approval/decision.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { updateView } from '../kickoff/form-window.ts';
import { activityModal, MOST_STEPS } from '../run/activity-modal.ts';
import { parseTextValue } from '../ui/button-value.ts';
import { parsePage, readAllModal } from './read-all-modal.ts';

export const onReadAll: OnClick = async (context, click, ack) => {
  const key = parseTextValue(click.value);
  const text = key && (await context.outputs.get(key.ref, key.hash));
  await ack();
  if (!key) return tellRefusal(context, click, { kind: 'unknown' });
  await context.answers.open(click, readAllModal({ key, text, page: 0 }));
};

export const onTurnPage: OnClick = async (context, { value, view }, ack) => {
  const wanted = parsePage(value);
  const text = wanted && (await context.outputs.get(wanted.key.ref, wanted.key.hash));
  await ack();
  if (!wanted || !view) return;
  const { key, page } = wanted;
  await updateView(context, { viewId: view.id, hash: view.hash }, readAllModal({ key, text, page }));
};

export const onShowActivity: OnClick = async (context, click, ack) => {
  const found = await context.store.load(click.value);
  const steps = found ? await context.activity.latest(click.value, MOST_STEPS) : [];
  await ack();
  if (!found) return tellRefusal(context, click, { kind: 'unknown' });
  await context.answers.open(click, activityModal(steps, { crew: found.execution.crew }));
};
