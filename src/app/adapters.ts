import { setTimeout as pause } from 'node:timers/promises';
import type { Receiver } from '@slack/bolt';
import type { Crew } from '../core/crew.ts';
import { inParallel } from '../core/in-parallel.ts';
import type { Absences } from '../core/inbox/person-settings.ts';
import { retryRefused } from '../core/messages/delivery.ts';
import { StoreUnavailable } from '../core/ports.ts';
import type { WebhookReceiver } from '../crew/webhooks/context.ts';
import { createWebhooks, type Webhooks } from '../crew/webhooks/routes.ts';
import { createChannelNames, findChannel } from '../slack/api/channels.ts';
import type { RateLimiters } from '../slack/api/rate-limiter.ts';
import { createReceiver, createSlackApp, type SlackApp, type SlackReceiver } from '../slack/app/app.ts';
import { ChartSupport, type HomeTab } from '../slack/app/context.ts';
import { findPermission } from '../slack/features/approval/change-request.ts';
import { createFindHome } from '../slack/features/home/home.ts';
import { HomePublisher } from '../slack/features/home/publisher.ts';
import { bareHome } from '../slack/features/home/view.ts';
import { sayIn, sayOf } from '../slack/language/say.ts';
import { reportUnreadable } from '../slack/messages/notices.ts';
import { READABLE_LENGTH } from '../slack/ui/limits.ts';
import { change } from '../worker/change.ts';
import type { Parts } from './parts.ts';

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
      store,
      outputs,
      activity,
      crews,
      rulesOf,
      policyPlaces: config.policyPlaces,
      crewInputs: crewClient,
      tokenCheck: crewClient,
      userTokens,
      recentFeedback,
      history,
      overview,
      personSettings,
      inbox,
      absences,
      identity,
      people,
      directory,
      namesOf,
      wake,
      home,
      log,
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
    executions: store,
    outputs,
    activity,
    credentials,
    refs,
    crews: config.crews,
    rulesOf,
    channelOf,
    wake,
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

/** The id of a crew's channel, looked up once if the operator gave its name; null if none is set or found. */
function createChannelOf(
  crews: ReadonlyMap<string, Crew>,
  find: (idOrName: string) => Promise<string | null>,
): (crew: string) => Promise<string | null> {
  const known = new Map<string, string>();
  return async (crew) => {
    const channel = crews.get(crew)?.channel ?? null;
    if (channel === null) return null;
    const id = known.get(channel) ?? (await find(channel));
    if (id !== null) known.set(channel, id);
    return id;
  };
}

/** Of people, not of places: Slack's own limit is one of the workspace. */
const GAP_MS = 1_000;

export function createHome(parts: Parts, { publishing, areCardsWaiting }: RateLimiters): HomePublisher {
  const { store, recentOutputs: outputs, clients, identity, people, namesOf, directory, rulesOf, log } = parts;
  const { inbox, overview, personSettings, takeHomeTurn: takeTurn, pendingRequests } = parts;
  const channelNames = createChannelNames(clients.interactive);
  return new HomePublisher({
    overview,
    areCardsWaiting,
    limiter: publishing,
    clients,
    takeTurn,
    gapMs: GAP_MS,
    log,
    findHome: createFindHome({
      inbox,
      store,
      outputs,
      rulesOf,
      directory,
      people,
      namesOf,
      identity,
      channelNames,
      personSettings,
    }),
    noStoreView: async (personId, metadata) => bareHome('no-store', sayIn(await people.languageOf(personId)), metadata),
    yieldToOthers: () => pendingRequests.yieldToRequests('normal'),
  });
}

const AT_ONCE = 8;
const RETRY_MS = 1_000;

/**
 * Has everything posted now that Slack hasn't taken into a channel, or into any, for null.
 * @throws {StoreUnavailable} then some of it may have to wait
 */
async function retryRefusedIn(
  { store, log }: Pick<Parts, 'store' | 'log'>,
  channel: string | null,
  wake: (ref: string) => void,
): Promise<void> {
  await inParallel(AT_ONCE, await store.refusedIn(channel), async (ref) => {
    try {
      if (await change(store, ref, retryRefused)) wake(ref);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      log.error({ ref, err: error }, "couldn't post again what Slack hasn't taken");
    }
  });
}

/** The same for all channels, as soon as the store answers. Never rejects. */
export async function retryAllRefused(
  parts: Pick<Parts, 'store' | 'log'>,
  { wake, signal }: { wake: (ref: string) => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await retryRefusedIn(parts, null, wake);
    } catch (error) {
      parts.log.warn({ err: error }, "couldn't post what Slack hasn't taken yet; trying again");
      await pause(RETRY_MS, null, { signal }).catch(() => {});
    }
  }
}
