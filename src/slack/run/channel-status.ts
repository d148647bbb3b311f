import { openRequest } from '../../core/approval/request.ts';
import { starterOf } from '../../core/execution/execution.ts';
import { recheckCards } from '../../core/messages/delivery.ts';
import { tsOf } from '../../core/messages/post.ts';
import { rootFace } from '../../core/messages/view-models.ts';
import { ok } from '../../core/result.ts';
import { postingTrouble } from '../api/channels.ts';
import { permalink } from '../api/identity.ts';
import type { Desk } from '../interaction/listener-context.ts';
import { cannotShowWords } from '../kickoff/cannot-post-message.ts';
import type { Rendered } from '../ui/blocks.ts';
import { statusList } from './status-list.ts';

/** Of the newest runs; each card costs an update. */
const MOST_RECHECKED = 10;

/**
 * What is running and waiting in a channel, with links. Who asks may be missing a card that somebody deleted, which Slack
 * doesn't tell us: it is looked after, and posted again where it is gone.
 */
export async function channelStatus(desk: Desk, channel: string): Promise<Rendered> {
  const executions = await desk.store.openIn(channel);
  const asking = executions.filter((execution) => openRequest(execution) !== null).slice(0, MOST_RECHECKED);
  await Promise.all(asking.map(({ ref }) => recheck(desk, ref)));
  const entries = executions.map((execution) => {
    const face = rootFace(execution);
    const root = tsOf(execution.root);
    const card = face.openCard?.ts ?? null;
    return {
      face,
      link: root === null ? null : permalink(desk.identity, channel, root, null),
      cardLink: card === null ? null : permalink(desk.identity, channel, card, root),
    };
  });
  const isHidden = entries.some(({ face }) => face.openCard && face.openCard.ts === null);
  const warning = isHidden ? await whyHidden(desk, channel) : null;
  return statusList(entries, { now: Date.now(), name: await desk.namesOf(...executions.map(starterOf)), warning });
}

/** What to do about a card that can't be posted; null where it is only on its way. */
async function whyHidden({ client, identity }: Desk, channel: string): Promise<string | null> {
  const trouble = await postingTrouble(client, identity, channel);
  return trouble && cannotShowWords({ trouble, botName: identity.botName });
}

async function recheck(desk: Desk, ref: string): Promise<void> {
  const changed = await desk.store.change(ref, (execution, now) => ok(recheckCards(execution, now)));
  if (changed.kind === 'changed') desk.wake(ref);
}
