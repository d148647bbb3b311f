import type { Absences } from '../core/inbox/absences.ts';
import type { WebhookReceiver } from '../crew/webhooks/context.ts';
import { createWebhooks, type Webhooks } from '../crew/webhooks/routes.ts';
import { findChannel } from '../slack/api/channels.ts';
import { createRespond } from '../slack/api/response-url.ts';
import { ChartSupport } from '../slack/interaction/chart-support.ts';
import type { HomeTab } from '../slack/interaction/home-tab.ts';
import { sayOf } from '../slack/language/say.ts';
import { reportUnreadable } from '../slack/thread/report-unreadable.ts';
import type { ObserveRequest } from '../slack/transport/observe-requests.ts';
import { createSlackAdapter, type SlackAdapter } from '../slack/transport/slack-adapter.ts';
import { READABLE_LENGTH } from '../slack/ui/limits.ts';
import { createChannelOf } from './crew-channels.ts';
import type { Parts } from './parts.ts';

/** Called for each execution that a click or webhook has changed, so that what is due happens at once. */
type Wake = (ref: string) => void;

interface OfBot {
  wake: Wake;
  home: HomeTab;
  absences: Absences;
}

export function slackAdapterOf(parts: Parts, { wake, home, absences }: OfBot): SlackAdapter {
  const { config, store, outputs, activity, crews, crewClient, refs, clients, metrics, log } = parts;
  const { rulesOf, ledger, identity, people, directory, namesOf, pendingRequests } = parts;
  const { userTokens, recentFeedback, history, overview, personSettings, inbox } = parts;
  const observe: ObserveRequest = (kind) => {
    const [end, record] = [pendingRequests.begin(), metrics.slackRequest(kind)];
    return (outcome) => {
      end();
      record(outcome);
    };
  };
  const { apiUrl, mode } = config.slack;
  const client = clients.interactive;
  const respond = createRespond({ observe: metrics.slackCall });
  return createSlackAdapter(
    { apiUrl, mode, observe, onFault: () => metrics.fault('slack'), onSocketEnd: metrics.socketEnd },
    {
      ...{
        store,
        outputs,
        activity,
        crews,
        crewInputs: crewClient,
        tokenCheck: crewClient,
        userTokens,
        recentFeedback,
        history,
        overview,
        chartSupport: new ChartSupport(),
        personSettings,
        inbox,
        absences,
      },
      ...{ createRef: refs.createRef, wake, home, aside: (wait) => pendingRequests.aside(wait) },
      ...{ rulesOf, policyPlaces: config.policyPlaces, client, respond, identity, people, directory, namesOf, log },
      channelOf: createChannelOf(crews, (name) => findChannel(client, name)),
      connectedTo: async (crew, personId) => (await userTokens.find(crew, personId)) !== null,
      recordRefusedStart: ledger.recordRefusedStart,
    },
    log,
  );
}

export function webhooksOf(parts: Parts, wake: Wake): Webhooks {
  const { config, store, recentOutputs: outputs, activity, crews, rulesOf, credentials, refs, clients, log } = parts;
  const client = clients.background;
  const channelOf = createChannelOf(crews, (name) => findChannel(client, name));
  const webhooks = createWebhooks({
    ...{ executions: store, outputs, activity, credentials, refs, crews: config.crews, rulesOf, channelOf, wake },
    async report({ crew, keys }) {
      const channel = await channelOf(crew).catch(() => null);
      await reportUnreadable({ client, channel, say: sayOf(crews.get(crew)), log }, { crew, keys });
    },
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
