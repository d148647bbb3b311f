import { showModal, tellNoLongerKnown } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ActionListener } from '../interaction/listeners.ts';
import { activityModal, MOST_STEPS } from './activity-modal.ts';

export const onShowActivity: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { value: ref } = click;
  const found = await context.store.load(ref);
  const steps = found ? await context.activity.latest(ref, MOST_STEPS) : [];
  await ack();
  if (!found) return tellNoLongerKnown(context, click);
  const say = await context.say();
  await showModal(context, click, activityModal(steps, { crew: found.execution.crew, say }));
};
