import { starterOf } from '../../core/execution.ts';
import { rootFace } from '../../core/face.ts';
import { tsOf } from '../../core/post.ts';
import type { Desk } from '../desk.ts';
import { permalink } from '../identity.ts';
import type { Rendered } from '../views/blocks.ts';
import { statusList } from '../views/status-list.ts';

/** What is running and waiting in a channel, with links. */
export async function channelStatus(desk: Desk, channel: string): Promise<Rendered> {
  const executions = await desk.store.openIn(channel);
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
  return statusList(entries, { now: Date.now(), name: await desk.namesOf(...executions.map(starterOf)) });
}
