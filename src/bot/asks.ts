import { threadTsOf } from '../core/state/execution.ts';
import { cardTsOf } from '../core/state/message.ts';
import { type AskRoutes, createAskRoutes } from '../crew/asks/routes.ts';
import { ChannelIds, findStartPlace } from '../slack/api/channels.ts';
import { permalink } from '../slack/api/identity.ts';
import type { Parts } from './parts.ts';

export function askRoutesOf(
  parts: Parts,
  { version, stopping }: { version: string; stopping: AbortSignal },
): AskRoutes {
  const { config, store, identity, workspaces } = parts;
  const client = parts.clients.background;
  const slack = { client, workspaces };
  const channelIds = new ChannelIds(slack);
  return createAskRoutes({
    ...parts,
    executions: store,
    crews: config.crews,
    async channelOf(crew, named) {
      const channel = named === null ? await parts.crewChannels.of(crew, slack) : await channelIds.find(named);
      if (channel === null) return null;
      const { trouble, name } = await findStartPlace(client, identity, channel);
      if (named === null || named === channel || name === null || name === named)
        return trouble === null ? channel : null;
      channelIds.forget();
      return channelIds.find(named);
    },
    linkTo(execution, request) {
      const ts = cardTsOf(execution, request);
      return ts === null ? null : permalink(identity, execution.channel, ts, threadTsOf(execution));
    },
    publicUrl: config.publicUrl,
    version,
    stopping,
  });
}
