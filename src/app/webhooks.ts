import type { WebhookReceiver } from '../crew/webhooks/context.ts';
import { createWebhooks, type Webhooks } from '../crew/webhooks/routes.ts';
import { findPermission } from '../slack/features/approval/change-request.ts';
import { reportUnreadable } from '../slack/messages/notices.ts';
import { READABLE_LENGTH } from '../slack/ui/limits.ts';
import type { Parts, Wake } from './parts.ts';

export function webhooksOf(parts: Parts, wake: Wake): Webhooks {
  const { config, store, recentOutputs: outputs, activity, crews, rulesOf, credentials, refs, clients, log } = parts;
  const client = clients.background;
  const channelOf = (crew: string) => parts.crewChannels.of(crew, { client, workspaces: parts.workspaces });
  const webhooks = createWebhooks({
    hourlyCounts: parts.hourlyCounts,
    executions: store,
    outputs,
    activity,
    credentials,
    refs,
    crews: config.crews,
    rulesOf,
    channelOf,
    wake,
    factsAbout: async (execution, people) => (await findPermission(parts, execution, people)).facts,
    async report({ crew, keys }) {
      const channel = await channelOf(crew).catch(() => null);
      await reportUnreadable({ client, channel, say: parts.sayings.of(crews.get(crew)), log }, { crew, keys });
    },
    countRefused: createCountRefused(parts),
    readableLength: READABLE_LENGTH,
    log,
  });
  return {
    find(path) {
      const route = webhooks.find(path);
      return route && { authenticate: (authorization) => pending(parts, route.authenticate(authorization)) };
    },
  };
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

/** The worker's own work waits for webhooks as it does for clicks. */
function pending({ pendingRequests }: Parts, receive: WebhookReceiver | null): WebhookReceiver | null {
  return (
    receive &&
    ((body) => {
      const end = pendingRequests.begin();
      return receive(body).finally(end);
    })
  );
}
