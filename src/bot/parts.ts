import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Ask } from '../core/execution/events.ts';
import { WORKFLOW } from '../core/policy/crew.ts';
import { createRulesOf } from '../core/policy/rules.ts';
import type { GroupChanges } from '../core/ports.ts';
import { createAddressSeal, createAskers } from '../crew/asks/askers.ts';
import { openAsk } from '../crew/asks/open-ask.ts';
import { createCrewClient } from '../crew/client.ts';
import { createCredentials, createRefs, deriveKey } from '../crew/credentials.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createActivityLog } from '../redis/activity.ts';
import { createAskThreads } from '../redis/ask-threads.ts';
import type { RedisClient } from '../redis/call.ts';
import { createChannelMoves } from '../redis/channel-moves.ts';
import { createHourlyCounts } from '../redis/counts.ts';
import { createDueQueue } from '../redis/due-queue.ts';
import { createExecutionStore } from '../redis/executions.ts';
import { createGroupChanges } from '../redis/group-changes.ts';
import { createLocalState } from '../redis/local-state.ts';
import { createOutputStore, createRecentOutputs } from '../redis/outputs.ts';
import { createOverview } from '../redis/overview/overview.ts';
import { createPersonSettings } from '../redis/person-settings.ts';
import { createRecentFeedback, createTakeHomeTurn } from '../redis/personal-state.ts';
import { registerProcess } from '../redis/processes.ts';
import { createOpenBucket } from '../redis/rates.ts';
import { createReplication, type Replication } from '../redis/replication.ts';
import { createSignInLinks } from '../redis/sign-in-links.ts';
import { StoredChanges } from '../redis/stored-changes.ts';
import { createUserTokens } from '../redis/user-tokens.ts';
import { ChannelNames } from '../slack/api/channels.ts';
import { createSlackClients, type SlackClients, slackLogger } from '../slack/api/clients.ts';
import { fetchIdentity, type Identity, TokenWatch } from '../slack/api/identity.ts';
import { createMaskedOutputs } from '../slack/api/masked-outputs.ts';
import { createRateLimiters, type RateLimiters, type Rates } from '../slack/api/rate-limiter.ts';
import { createNamesOf, createPeople, createSlackUsers } from '../slack/api/users.ts';
import { createWorkspaces } from '../slack/api/workspaces.ts';
import { createDirectory, createLookUps } from '../slack/directory/directory.ts';
import { createInbox, type Inbox } from '../slack/directory/inbox.ts';
import { createApproverNames, createMentionsOf } from '../slack/directory/names.ts';
import { createUserGroups } from '../slack/directory/user-groups.ts';
import { createSayings, type Sayings } from '../slack/language/say.ts';
import { createFindChange } from '../slack/ui/comparison/find-change.ts';
import { READABLE_LENGTH } from '../slack/ui/limits.ts';
import { PendingRequests } from '../worker/pending-requests.ts';
import { HEAD_START_MS } from '../worker/slack-messages.ts';
import { CrewChannels } from './crew-channels.ts';
import { createLedger, entryKeysOf, type Ledger } from './ledger.ts';
import type { CallSlack } from './start-up.ts';

// Builds the parts of which `bot.ts` makes the bot.

/** The parts from which the Slack app, the webhooks and the worker are built. */
export interface Parts extends StoreParts, SlackParts, CrewParts, Observers {
  config: Config;
  ledger: Ledger;
  /** Asks people the question of a program or workflow, unless this ref has asked already. Throws `StoreUnavailable`. */
  ask: (question: Ask) => Promise<'created' | 'exists'>;
  pendingRequests: PendingRequests;
  inbox: Inbox;
  sayings: Sayings;
  crewChannels: CrewChannels;
}

type StoreParts = ReturnType<typeof createStores>;
type SlackParts = Awaited<ReturnType<typeof connectSlack>>;
type CrewParts = ReturnType<typeof createCrewParts>;

interface Observers {
  metrics: Metrics;
  log: Logger;
}

/** @throws {CannotStart} if Slack refuses the token or can't be reached, or if `redisIsUp` rejects with it */
export async function createParts(
  config: Config,
  {
    redis,
    redisIsUp,
    callSlack,
    rates,
    ...observers
  }: { redis: RedisClient; redisIsUp: Promise<void>; callSlack: CallSlack; rates?: Rates | undefined } & Observers,
): Promise<Parts> {
  const rateLimiters = createRateLimiters({ rates, openBucket: createOpenBucket(redis) });
  const shared = { groupChanges: createGroupChanges(redis), rateLimiters };
  const [slack] = await Promise.all([connectSlack(config, callSlack, { ...shared, ...observers }), redisIsUp]);
  const replication = createReplication(redis, config.redis);
  const ledger = createLedger(redis, config, { replication, ...observers });
  const stores = createStores(redis, config, { replication, ...observers });
  const crewParts = createCrewParts(config, stores, observers);
  const { rulesOf } = crewParts;
  const asking = { executions: stores.store, outputs: stores.outputs, rulesOf, readableLength: READABLE_LENGTH };
  return {
    config,
    ledger,
    async ask(question) {
      if (question.crew === WORKFLOW) await ledger.recordWorkflowPolicy();
      return openAsk(asking, question);
    },
    pendingRequests: new PendingRequests(),
    ...observers,
    ...slack,
    ...stores,
    ...crewParts,
    inbox: createInbox({ ...stores, ...slack, ...crewParts }),
    sayings: createSayings(config.slack.command),
    crewChannels: new CrewChannels({
      crews: crewParts.crews,
      moves: stores.channelMoves,
      log: observers.log,
    }),
  };
}

function createStores(
  redis: RedisClient,
  { retentionDays, secrets, mask, audit: { days: auditDays } }: Config,
  { replication, metrics, log }: { replication: Replication | null } & Observers,
) {
  const local = createLocalState();
  const userTokens = createUserTokens(redis, { keys: userTokenKeys(secrets), log });
  const outputs = createOutputStore(redis, { retentionDays, replication });
  const recentOutputs = createRecentOutputs(outputs);
  const shownOutputs = createMaskedOutputs(recentOutputs, mask);
  const storedChanges = new StoredChanges({ log, onFault: (error) => metrics.fault('subscriber', error) });
  const store = createExecutionStore(redis, {
    retentionDays,
    auditDays,
    entryKeys: entryKeysOf(secrets),
    headStartMs: HEAD_START_MS,
    local,
    replication,
    storedChanges,
  });
  return {
    store,
    /** The state that this process knows without asking Redis. */
    local,
    /** Announces what this process stores to the worker and to watchers. */
    storedChanges,
    changes: local.changes,
    outputs,
    /** A short-lived cache of outputs for messages. */
    recentOutputs,
    shownOutputs,
    findChange: createFindChange(shownOutputs),
    activity: createActivityLog(redis, { retentionDays }),
    hourlyCounts: createHourlyCounts(redis),
    channelMoves: createChannelMoves(redis),
    askThreads: createAskThreads(redis, { retentionDays }),
    due: createDueQueue(redis, local),
    recentFeedback: createRecentFeedback(redis, { retentionDays }),
    personSettings: createPersonSettings(redis, { log }),
    signInLinks: createSignInLinks(redis, replication),
    overview: createOverview(redis, local),
    takeHomeTurn: createTakeHomeTurn(redis),
    userTokens,
    /** Returns true if a person has connected a token of their own to a crew. */
    connectedTo: async (crew: string, personId: string) => (await userTokens.find(crew, personId)) !== null,
    processes: registerProcess(redis, log, { local }),
  };
}

/** The facts about Slack that all processes share: the changes of groups, and the rates of calls. */
interface SharedOfSlack {
  groupChanges: GroupChanges;
  rateLimiters: RateLimiters;
}

async function connectSlack(
  { slack: { botToken, apiUrl }, mask }: Config,
  callSlack: CallSlack,
  { metrics, log, ...shared }: SharedOfSlack & Observers,
) {
  const logger = slackLogger(log);
  const clients: SlackClients = createSlackClients({
    token: botToken,
    apiUrl,
    logger,
    mask,
    observe: metrics.slackCall,
    onTokenError: () => tokenWatch.check(),
  });
  const tokenWatch = new TokenWatch({ client: clients.background, log });
  const identity = await callSlack('SLACK_BOT_TOKEN', () => fetchIdentity(clients.background));
  return { clients, identity, tokenWatch, ...shared, ...createFacts(clients, { identity, ...shared, log }) };
}

/** Builds what knows people: names and facts share Slack's answers. */
function createFacts(
  { interactive, background }: SlackClients,
  { identity, groupChanges, rateLimiters, log }: { identity: Identity; log: Logger } & SharedOfSlack,
) {
  const slackUsers = createSlackUsers(interactive);
  const { installation } = identity;
  const workspaces = createWorkspaces(interactive, { installation });
  // The list of all groups of a large workspace takes longer than a click may wait.
  const userGroups = createUserGroups(background, {
    workspaces,
    changes: groupChanges,
    limiter: rateLimiters.userGroups,
  });
  const lookUps = createLookUps(interactive, { slackUsers, workspaces, userGroups });
  const people = createPeople(slackUsers, installation);
  return {
    workspaces,
    people,
    channelNames: new ChannelNames(interactive),
    namesOf: createNamesOf(people),
    directory: {
      ...createDirectory(lookUps, { identity, log }),
      mentionsOf: createMentionsOf(lookUps, log),
      approverNames: createApproverNames(lookUps, { people, log }),
    },
  };
}

function userTokenKeys([newest, ...older]: Config['secrets']): [Buffer, ...Buffer[]] {
  return [deriveKey(newest, 'user-token'), ...older.map((secret) => deriveKey(secret, 'user-token'))];
}

function createCrewParts(
  { crews, publicUrl, secrets, webhookAuth, keepTexts }: Config,
  { userTokens }: StoreParts,
  { metrics, log }: Observers,
) {
  const credentials = createCredentials(secrets);
  const observe = metrics.crewCall;
  const byName = new Map(crews.map((crew) => [crew.name, crew]));
  const addresses = createAddressSeal(secrets);
  return {
    addresses,
    askers: createAskers({ crews: byName, secrets, addresses, log, observe }),
    crews: byName,
    rulesOf: createRulesOf(byName, keepTexts),
    credentials,
    refs: createRefs(secrets),
    crewClient: createCrewClient({
      crews,
      publicUrl,
      credentials,
      webhookAuth,
      tokenOf: userTokens.find,
      log,
      observe,
    }),
  };
}
