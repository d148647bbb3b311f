import { createWebhooks, type Webhooks } from '../crew/webhooks/routes.ts';
import { reportInChannel } from '../slack/thread/notices.ts';
import { READABLE_LENGTH } from '../slack/ui/limits.ts';
import type { Parts } from './parts.ts';

export function webhooksOf(parts: Parts): Webhooks {
  const { config, store, recentOutputs: outputs, crews, clients, log } = parts;
  const client = clients.background;
  const channelOf = (crew: string) => parts.crewChannels.of(crew, { client, workspaces: parts.workspaces });
  return createWebhooks({
    ...parts,
    executions: store,
    outputs,
    crews: config.crews,
    channelOf,
    async report(told) {
      const channel = await channelOf(told.crew).catch(() => null);
      await reportInChannel({ client, channel, say: parts.sayings.of(crews.get(told.crew)), log }, told);
    },
    countRefused: createCountRefused(parts),
    readableLength: READABLE_LENGTH,
  });
}

/** A crew may be asked for runs elsewhere all day: of each, the log has it once. */
function createCountRefused({ metrics, log }: Parts): (crew: string) => void {
  const told = new Set<string>();
  return (crew) => {
    metrics.refusedElsewhere(crew);
    if (told.has(crew)) return;
    told.add(crew);
    log.warn(
      { crew },
      'refused a request of an execution started elsewhere, as the crew is set to; more are only counted',
    );
  };
}
