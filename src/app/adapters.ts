import type { Receiver } from '@slack/bolt';
import type { Absences } from '../core/inbox/person-settings.ts';
import type { WebhookReceiver } from '../crew/webhooks/context.ts';
import { createWebhooks, type Webhooks } from '../crew/webhooks/routes.ts';
import { findChannel } from '../slack/api/channels.ts';
import { createReceiver, createSlackApp, type SlackApp, type SlackReceiver } from '../slack/app.ts';
import { findPermission } from '../slack/approval/find-permission.ts';
import { ChartSupport } from '../slack/interaction/chart-support.ts';
import type { HomeTab } from '../slack/interaction/home-tab.ts';
import { sayOf } from '../slack/language/say.ts';
import { reportUnreadable } from '../slack/thread/report-unreadable.ts';
import { READABLE_LENGTH } from '../slack/ui/limits.ts';
import { createChannelOf } from './crew-channels.ts';
import type { Parts } from './parts.ts';
import { retryRefusedIn } from './retry-refused.ts';

/** Called for each execution that a click or webhook has changed, so that what is due happens at once. */
type Wake = (ref: string) => void;

interface OfBot {
  wake: Wake;
  home: HomeTab;
  absences: Absences;
}

export function slackReceiverOf({ config, metrics, pendingRequests, log }: Parts): SlackReceiver {
  return createReceiver(config.slack, {
    observe: (kind) => {
      const [end, record] = [pendingRequests.begin(), metrics.slackRequest(kind)];
      return (outcome) => {
        end();
        record(outcome);
      };
    },
    onFault: () => metrics.fault('slack'),
    onSocketEnd: metrics.socketEnd,
    log,
  });
}

export function slackAppOf(parts: Parts, receiver: Receiver, { wake, home, absences }: OfBot): SlackApp {
  const { config, store, outputs, activity, crews, crewClient, refs, clients, log } = parts;
  const { rulesOf, ledger, identity, tokenWatch, people, directory, namesOf, pendingRequests } = parts;
  const { userTokens, recentFeedback, history, overview, personSettings, inbox } = parts;
  return createSlackApp({
    receiver,
    botToken: config.slack.botToken,
    clientOptions: clients.interactiveOptions,
    services: {
      ...{ store, outputs, activity, crews, rulesOf, policyPlaces: config.policyPlaces },
      ...{ crewInputs: crewClient, tokenCheck: crewClient, userTokens, recentFeedback, history, overview },
      ...{ personSettings, inbox, absences, identity, people, directory, namesOf, wake, home, log },
      chartSupport: new ChartSupport(),
      retryIn: (channel) => retryRefusedIn(parts, channel, wake),
      checkToken: () => tokenWatch.check(),
      createRef: refs.createRef,
      aside: (wait) => pendingRequests.aside(wait),
      channelOf: createChannelOf(crews, (name) => findChannel(clients.interactive, name)),
      connectedTo: connectedToOf(parts),
      recordRefusedStart: ledger.recordRefusedStart,
      recordRefusal: ledger.recordRefusal,
    },
  });
}

export function webhooksOf(parts: Parts, wake: Wake): Webhooks {
  const { config, store, recentOutputs: outputs, activity, crews, rulesOf, credentials, refs, clients, log } = parts;
  const permissionPorts = { directory: parts.directory, rulesOf, crews, connectedTo: connectedToOf(parts) };
  const client = clients.background;
  const channelOf = createChannelOf(crews, (name) => findChannel(client, name));
  const webhooks = createWebhooks({
    hourlyCounts: parts.hourlyCounts,
    ...{ executions: store, outputs, activity, credentials, refs, crews: config.crews, rulesOf, channelOf, wake },
    factsAbout: async (execution, people) => (await findPermission(permissionPorts, execution, people)).facts,
    async report({ crew, keys }) {
      const channel = await channelOf(crew).catch(() => null);
      await reportUnreadable({ client, channel, say: sayOf(crews.get(crew)), log }, { crew, keys });
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

function connectedToOf({ userTokens }: Parts) {
  return async (crew: string, personId: string) => (await userTokens.find(crew, personId)) !== null;
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
