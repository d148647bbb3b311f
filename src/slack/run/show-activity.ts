import { showModal, tellNoLongerKnown } from '../interaction/answers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { activityModal, MOST_STEPS } from './activity-modal.ts';

export const onShowActivity: OnClick = async (context, click, ack) => {
  const { value: ref } = click;
  const found = await context.store.load(ref);
  const steps = found ? await context.activity.latest(ref, MOST_STEPS) : [];
  await ack();
  if (!found) return tellNoLongerKnown(context, click);
  const say = await context.say();
  await showModal(context, click, activityModal(steps, { crew: found.execution.crew, say }));
};
