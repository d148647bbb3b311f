import type { KickoffAnswer } from '../../../../../src/core/execution/events.ts';
import { claimKickoff, settleKickoff } from '../../../../../src/core/execution/start.ts';
import { type Crew, DEFAULT_COMMAND } from '../../../../../src/core/policy/crew.ts';
import { createRulesOf } from '../../../../../src/core/policy/rules.ts';
import type { StoredChange } from '../../../../../src/core/ports.ts';
import type { Execution } from '../../../../../src/core/state/execution.ts';
import { ok } from '../../../../../src/core/values/result.ts';
import { createRefs } from '../../../../../src/crew/credentials.ts';
import { createActivityLog } from '../../../../../src/redis/activity.ts';
import type { RedisClient } from '../../../../../src/redis/call.ts';
import { createExecutionStore } from '../../../../../src/redis/executions.ts';
import { readChain } from '../../../../../src/redis/ledger/chain.ts';
import { createOutputStore } from '../../../../../src/redis/outputs.ts';
import { createOverview } from '../../../../../src/redis/overview/overview.ts';
import { createPersonSettings } from '../../../../../src/redis/person-settings.ts';
import { createRecentFeedback } from '../../../../../src/redis/personal-state.ts';
import { createSlackClients, slackLogger } from '../../../../../src/slack/api/clients.ts';
import { createMaskedOutputs } from '../../../../../src/slack/api/masked-outputs.ts';
import { createNamesOf } from '../../../../../src/slack/api/users.ts';
import { createSlackApp } from '../../../../../src/slack/app/app.ts';
import { createInbox } from '../../../../../src/slack/directory/inbox.ts';
import { NO_CHANGES } from '../../../../../src/slack/directory/user-groups.ts';
import type { RefusedAttempt, RefusedStart, Services } from '../../../../../src/slack/listening/context.ts';
import { type KnownKind, parseRequest } from '../../../../../src/slack/receivers/request.ts';
import { createFindChange } from '../../../../../src/slack/ui/comparison/find-change.ts';
import { SECRET, silent } from '../../../../crew/crew-values.ts';
import { FakeReceiver } from '../../../../support/fake-receiver.ts';
import { SAYINGS } from '../../../../support/say.ts';
import { TEAM } from '../../../../support/slack-server.ts';
import type { AnsweringSlack } from '../../../directory/answering-slack.ts';
import { DIRECTORY } from './cast.ts';

const OPTIONS = { retentionDays: 30, auditDays: 400, replication: null };

/** What became of a request: what was refused, and its acknowledgments. */
export interface Dispatched {
  refusedStarts: RefusedStart[];
  refusedAttempts: RefusedAttempt[];
  acks: object[];
  /** How often a Home was to be shown anew that somebody may be looking at. */
  homesShownAgain: number;
  /** What is logged of it. */
  facts: Record<string, unknown>;
}

/**
 * Listeners on a real store, with people whom Slack describes as data. `acks` is filled even where a listener throws.
 * @param startAnswer what the crew answers to starts; null for a crew that doesn't answer
 */
export function createDispatching(
  redis: RedisClient,
  slack: AnsweringSlack,
  { startAnswer = { kind: 'accepted', kickoffId: 'k1' } }: { startAnswer?: KickoffAnswer | null } = {},
) {
  const store = createExecutionStore(redis, OPTIONS);
  /** Another one for listeners: what they start, the crew answers at once. */
  const listenerStore = createExecutionStore(redis, { ...OPTIONS, storedChanges: { add: answerStarts } });
  function answerStarts(changes: readonly StoredChange[]): void {
    if (startAnswer === null) return;
    const answered = (each: Execution, now: number) => settleKickoff(claimKickoff(each, 'p1', now), startAnswer, now);
    for (const { before, after } of changes)
      if (before === null) void store.change(after.ref, (each, now) => ok(answered(each, now)));
  }
  const outputs = createOutputStore(redis, OPTIONS);
  const personSettings = createPersonSettings(redis, { log: silent });
  const overview = createOverview(redis);
  const recentFeedback = createRecentFeedback(redis, OPTIONS);
  const logger = slackLogger(silent);
  const { interactive: client, interactiveOptions: clientOptions } = createSlackClients({
    ...{ token: slack.botToken, apiUrl: slack.apiUrl, logger },
  });

  /** One for all requests, as in the bot: its caches are large. */
  const inboxes = new Map<Crew, ReturnType<typeof createInbox>>();
  function inboxOf(crew: Crew) {
    const { account: accountInLists, membersOf: membersInLists } = DIRECTORY;
    const directory = { ...DIRECTORY, accountInLists, membersInLists, isPublic: async () => true };
    const rulesOf = createRulesOf(new Map([[crew.name, crew]]));
    const inbox = inboxes.get(crew) ?? createInbox({ overview, directory, rulesOf });
    inboxes.set(crew, inbox);
    return inbox;
  }

  async function send(
    payload: object,
    { kind, crew, acks = [], ...change }: { kind: KnownKind; crew: Crew; acks?: object[] } & Partial<Services>,
  ): Promise<Dispatched> {
    const done: Dispatched = { refusedStarts: [], refusedAttempts: [], acks, homesShownAgain: 0, facts: {} };
    const crews = new Map([[crew.name, crew]]);
    const people = {
      nameOf: async ({ name }: { name: string }) => name,
      isInside: async () => false,
      timeZoneOf: async () => null,
      languageOf: async () => 'en' as const,
    };
    const services: Services = {
      ...{
        client,
        store: listenerStore,
        unmaskedClient: client,
        outputs: createMaskedOutputs(outputs, 'known'),
        fullOutputs: outputs,
        findChange: createFindChange(outputs),
        activity: createActivityLog(redis, OPTIONS),
        crews,
        rulesOf: createRulesOf(crews),
        sayings: SAYINGS,
      },
      crewInputs: { inputs: async () => ({ kind: 'inputs', names: ['topic'], skipped: [] }) },
      createRef: createRefs([SECRET]).createRef,
      recordRefusedStart: async (refused) => void done.refusedStarts.push(refused),
      recordRefusal: async (_, refused) => void done.refusedAttempts.push(refused),
      groupChanges: NO_CHANGES,
      retryIn: async () => {},
      moveChannel: async () => {},
      latestChannel: async (id) => id,
      runEntries: async (ref) => ({ entries: await readChain(redis, ref), conditions: new Map() }),
      renameChannel: () => {},
      checkToken: () => {},
      connectedTo: async () => false,
      ask: async () => 'created',
      signInLink: async () => ({ url: 'https://bot.example.com/step-up/secret', id: 'link' }),
      channelOf: async () => null,
      tokenCheck: { checkToken: async () => ({ kind: 'accepted' }) },
      recentFeedback,
      overview,
      personSettings,
      inbox: inboxOf(crew),
      absences: { apply: async () => ({ standIn: null, items: [] }) },
      userTokens: { find: async () => null, put: async () => {}, remove: async () => 'absent' },
      aside: (wait) => wait,
      home: {
        show: async (user_id) => void (await client.views.publish({ user_id, view: { type: 'home', blocks: [] } })),
        showAgain: () => {
          done.homesShownAgain += 1;
        },
      },
      identity: {
        ...{ installation: { kind: 'workspace', teamId: TEAM }, botUserId: 'UBOT', botId: null, botName: 'signoff' },
        ...{ workspaceUrl: 'https://sandbox.slack.test/', scopes: new Set() },
      },
      people,
      directory: {
        ...DIRECTORY,
        mentionsOf: async () => [],
        approverNames: async () => (name) => name,
      },
      namesOf: createNamesOf(people),
      log: silent,
      ...change,
    };
    const receiver = new FakeReceiver();
    createSlackApp({ receiver, botToken: slack.botToken, command: DEFAULT_COMMAND, clientOptions, services });
    const request = parseRequest(kind, { type: kind, ...payload });
    if (!request.ok) throw new Error(`unreadable: ${request.refusal}`);
    await receiver.sendEvent({
      body: request.value,
      ack: async (answer: object = {}) => void done.acks.push(answer),
      customProperties: { addToLog: (more: object) => Object.assign(done.facts, more) },
    });
    return done;
  }

  return { store, outputs, send };
}
