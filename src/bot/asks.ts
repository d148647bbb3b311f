import { tsOf } from '../core/state/post.ts';
import { type AskRoutes, createAskRoutes } from '../crew/asks/routes.ts';
import { findChannel, findStartPlace } from '../slack/api/channels.ts';
import { permalink } from '../slack/api/identity.ts';
import type { Parts } from './parts.ts';

export function askRoutesOf(parts: Parts, stopping: AbortSignal): AskRoutes {
  const { config, store, identity, workspaces } = parts;
  const client = parts.clients.background;
  const slack = { client, workspaces };
  return createAskRoutes({
    ...parts,
    executions: store,
    crews: config.crews,
    async channelOf(crew, named) {
      const channel = named === null ? await parts.crewChannels.of(crew, slack) : await findChannel(slack, named);
      if (channel === null) return null;
      const { trouble } = await findStartPlace(client, identity, channel);
      return trouble === null ? channel : null;
    },
    linkTo({ root, channel }) {
      const ts = tsOf(root);
      return ts === null ? null : permalink(identity, channel, ts, null);
    },
    stopping,
  });
}
