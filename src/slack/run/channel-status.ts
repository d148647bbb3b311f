import { openRequest } from '../../core/approval/request.ts';
import { starterOf } from '../../core/execution/execution.ts';
import { leftWaiting } from '../../core/execution/left-waiting.ts';
import { recheckCards } from '../../core/messages/delivery.ts';
import { tsOf } from '../../core/messages/post.ts';
import { rootModel } from '../../core/messages/view-models.ts';
import { ok } from '../../core/result.ts';
import { postingTrouble } from '../api/channels.ts';
import { permalink } from '../api/identity.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import { hiddenApprovalText } from './hidden-approval-text.ts';
import { statusList } from './status-list.ts';

/** Only the newest runs: each recheck costs an update. */
const MAX_RECHECKED = 10;

/**
 * What is running and waiting in a channel, with links. The person asking may be missing a card: Slack doesn't tell us about
 * deleted messages, so open cards are checked and posted again if they are gone.
 */
export async function channelStatus(context: ListenerContext, channel: string): Promise<Rendered> {
  const [executions, say] = await Promise.all([context.store.openIn(channel), context.say()]);
  const asking = executions.filter((execution) => openRequest(execution) !== null).slice(0, MAX_RECHECKED);
  await Promise.all(asking.map(({ ref }) => recheck(context, ref)));
  const entries = executions.map((execution) => {
    const model = rootModel(execution);
    const root = tsOf(execution.root);
    const card = model.openCard?.ts ?? null;
    return {
      model,
      leftWaiting: leftWaiting(execution),
      link: root === null ? null : permalink(context.identity, channel, root, null),
      cardLink: card === null ? null : permalink(context.identity, channel, card, root),
    };
  });
  const isHidden = entries.some(({ model }) => model.openCard && model.openCard.ts === null);
  const warning = isHidden ? await whyHidden(context, channel, say) : null;
  const people = executions.flatMap((execution) => [starterOf(execution), execution.unfollowed?.by]);
  return statusList(entries, { now: Date.now(), name: await context.namesOf(...people), say, warning });
}

/** Why a card can't be posted and what to do, or null if it is only on its way. */
async function whyHidden({ client, identity }: ListenerContext, channel: string, say: Say): Promise<string | null> {
  const trouble = await postingTrouble(client, identity, channel);
  return trouble && hiddenApprovalText({ trouble, botName: identity.botName }, say);
}

async function recheck(context: ListenerContext, ref: string): Promise<void> {
  const changed = await context.store.change(ref, (execution, now) => ok(recheckCards(execution, now)));
  if (changed.kind === 'changed') context.wake(ref);
}
