import type { AnyBlock } from '@slack/types';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { DEFAULT_COMMAND } from '../../../src/core/policy/crew.ts';
import { type Approver, type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { createRulesOf } from '../../../src/core/policy/rules.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { type Execution, findRequest } from '../../../src/core/state/execution.ts';
import { duePost } from '../../../src/core/state/post.ts';
import type { Question } from '../../../src/core/state/request.ts';
import { createActivityLog } from '../../../src/redis/activity.ts';
import { closeRedis, connectRedis } from '../../../src/redis/connection.ts';
import { createExecutionStore } from '../../../src/redis/executions.ts';
import { readChain } from '../../../src/redis/ledger/chain.ts';
import { createOutputStore } from '../../../src/redis/outputs.ts';
import { createOverview } from '../../../src/redis/overview/overview.ts';
import { createPersonSettings } from '../../../src/redis/person-settings.ts';
import { createRecentFeedback } from '../../../src/redis/personal-state.ts';
import type { Message } from '../../../src/sandbox/slack-workspace/people-api.ts';
import { startSlackWorkspace } from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED } from '../../../src/sandbox/slack-workspace/state/seed.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { fetchIdentity } from '../../../src/slack/api/identity.ts';
import { createMaskedOutputs } from '../../../src/slack/api/masked-outputs.ts';
import { createNamesOf, createPeople, createSlackUsers } from '../../../src/slack/api/users.ts';
import { createSlackApp } from '../../../src/slack/app/app.ts';
import type { ListDirectory, SlackDirectory } from '../../../src/slack/directory/directory.ts';
import { createInbox } from '../../../src/slack/directory/inbox.ts';
import { NO_CHANGES } from '../../../src/slack/directory/user-groups.ts';
import { SocketReceiver } from '../../../src/slack/receivers/socket-receiver.ts';
import { createThread } from '../../../src/slack/thread/thread.ts';
import type { ActionId } from '../../../src/slack/ui/action-ids.ts';
import { button, buttons, section } from '../../../src/slack/ui/blocks.ts';
import { createFindChange } from '../../../src/slack/ui/comparison/find-change.ts';
import { createCallClaims } from '../../../src/worker/change.ts';
import { post, RecentUpdates, update } from '../../../src/worker/slack-messages.ts';
import { crew, silent } from '../../crew/crew-values.ts';
import { execution, request } from '../../support/executions.ts';
import { installedApp } from '../../support/installed-app.ts';
import { startRedis } from '../../support/redis.ts';
import { account } from '../../support/requests.ts';
import { SAYINGS } from '../../support/say.ts';

export const MARIA = 'UMARIA001';
const CHANNEL = 'C0DECIDE1';

/** What Slack says, which tests can change: whether it can tell who is in groups. */
export interface Groups {
  members: Record<string, string[]>;
  canTell: 'now' | 'later';
}

/** A workspace in which requests of a crew are posted and people click, without a worker: tests say when messages are sent. */
export async function startApprovalWorld() {
  const [redis, slack] = await Promise.all([
    startRedis(),
    startSlackWorkspace({
      rateLimits: 'off',
      ackLimitMs: 30_000,
      app: { ...installedApp(), delivery: { mode: 'socket' } },
      seed: {
        ...DEFAULT_SEED,
        channels: [
          ...DEFAULT_SEED.channels,
          {
            id: CHANNEL,
            name: 'decide',
            isShared: true,
            members: ['maria', 'jon', 'aiko', 'priya', 'gina', 'sam', '@app'],
          },
        ],
      },
    }),
  ]);
  const client = connectRedis(redis.url, { onTrouble: () => {} });
  const store = createExecutionStore(client, { retentionDays: 1, auditDays: 400, replication: null });
  const fullOutputs = createOutputStore(client, { retentionDays: 1 });
  const outputs = createMaskedOutputs(fullOutputs, 'known');
  const findChange = createFindChange(outputs);
  const overview = createOverview(client);
  const recentFeedback = createRecentFeedback(client, { retentionDays: 1 });
  const personSettings = createPersonSettings(client, { log: silent });
  const activity = createActivityLog(client, { retentionDays: 1 });
  const clients = createSlackClients({ token: slack.botToken, apiUrl: slack.apiUrl, logger: slackLogger(silent) });
  const identity = await fetchIdentity(clients.background);
  const people = createPeople(createSlackUsers(clients.interactive), identity.installation);
  const namesOf = createNamesOf(people);
  const groups: Groups = { members: {}, canTell: 'now' };
  const directory = directoryOf(groups);
  const crews = new Map(['research', 'quiet'].map((name) => [name, crew({ name })]));
  const rulesOf = createRulesOf(crews);

  const { appToken, apiUrl } = slack;
  const app = createSlackApp({
    receiver: new SocketReceiver({ appToken, apiUrl, logger: slackLogger(silent), log: silent }),
    botToken: slack.botToken,
    command: DEFAULT_COMMAND,
    clientOptions: clients.interactiveOptions,
    services: {
      client: clients.interactive,
      unmaskedClient: clients.unmasked,
      store,
      outputs,
      fullOutputs,
      findChange,
      activity,
      crews,
      rulesOf,
      identity,
      sayings: SAYINGS,
      people,
      directory,
      namesOf,
      log: silent,
      crewInputs: { inputs: async () => ({ kind: 'unreachable' }) },
      createRef: () => 'unused',
      ask: async () => 'created',
      home: { show: async () => {}, showAgain: () => {} },
      aside: (wait) => wait,
      tokenCheck: { checkToken: async () => ({ kind: 'unreachable' }) },
      recentFeedback,
      overview,
      personSettings,
      inbox: createInbox({ overview, directory, rulesOf }),
      absences: { apply: async () => ({ standIn: null, items: [] }) },
      userTokens: { find: async () => null, put: async () => {}, remove: async () => 'absent' },
      groupChanges: NO_CHANGES,
      retryIn: async () => {},
      moveChannel: async () => {},
      latestChannel: async (id) => id,
      runEntries: async () => ({ entries: [], conditions: new Map() }),
      renameChannel: () => {},
      checkToken: () => {},
      connectedTo: async () => false,
      signInLink: async ({ approvalId: id }) => ({ url: `https://bot.example.com/step-up/${id}`, id }),
      channelOf: async () => null,
      recordRefusedStart: async () => {},
      recordRefusal: async () => {},
    },
  });
  await app.start();

  const thread = createThread({
    client: clients.background,
    render: {
      outputs,
      findChange,
      activity,
      crews,
      rulesOf,
      identity,
      namesOf,
      languageOf: async () => 'en',
      settings: personSettings,
      sayings: SAYINGS,
      ...directory,
    },
    notifier: { notify: async () => 'told' },
    log: silent,
  });
  const ports = {
    store,
    thread,
    updates: new RecentUpdates(() => true),
    log: silent,
    ...createCallClaims(store, 'process-1'),
  };

  /** Posts and updates what is due, as the worker does. */
  const show = async (ref: string): Promise<void> => {
    for (let rounds = 0; rounds < 5; rounds++) {
      const found = await store.load(ref);
      if (!found) return;
      const { execution, now } = found;
      for (const action of dueActionsAt(execution, now + 2_000)) {
        if (action.kind === 'post') await post(ports, execution, action.message);
        if (action.kind === 'update') await update(ports, execution, action.message);
      }
    }
  };

  const load = async (ref: string): Promise<Execution> => {
    const found = await store.load(ref);
    if (!found) throw new Error(`no execution ${ref}`);
    return found.execution;
  };

  /** Gives the answers that Slack didn't take. */
  const tell = async (ref: string): Promise<void> => {
    for (const answer of (await load(ref)).privateAnswers) await thread.tell(answer);
  };

  let count = 0;
  return {
    slack,
    groups,
    store,
    show,
    load,
    tell,
    settings: personSettings.change,
    /** A request for a decision by this policy, in a run that Maria started; resolves once its card is there, and lists have it. */
    async asks(
      policy: Partial<CrewPolicy>,
      {
        text,
        crewName,
        ...offered
      }: { text?: string; crewName?: string } & Partial<Pick<Question, 'outcomes' | 'fields'>> = {},
    ): Promise<{ ref: string; card: Message }> {
      count += 1;
      const name = crewName ?? `crew-${count}`;
      const ref = `ref${count}`;
      const rules = { ...DEFAULT_POLICY, ...policy };
      crews.set(name, crew({ name, approval: rules }));
      const output = await outputs.put(ref, text ?? `Draft number ${count}.`);
      await store.create(ref, (now) => {
        const by = { id: MARIA, name: 'maria' };
        const run = execution({
          ref,
          crew: name,
          channel: CHANNEL,
          createdAt: now,
          root: duePost(now),
          origin: { kind: 'command', by },
          poll: { ...execution().poll, nextAt: now + 3_600_000 },
        });
        const asked = ask(run, request({ output, taskName: `Task ${count}`, ...offered }), now, {
          policy: rules,
          hours: null,
        });
        return asked.ok ? asked.value : run;
      });
      await show(ref);
      const card = await slack
        .as('maria')
        .sees('#decide', new RegExp(`Task ${count}\\b.*(\\[Reject…|Who can decide\\?)`, 's'));
      await overview.latest('now');
      return { ref, card };
    },
    /** From now on, the run's crew has this policy. */
    async rules(ref: string, policy: Partial<CrewPolicy>): Promise<void> {
      const { crew: name } = await load(ref);
      crews.set(name, crew({ name, approval: { ...DEFAULT_POLICY, ...policy } }));
    },
    /** The same run asks for another task, too. */
    async asksAgain(ref: string, taskName: string): Promise<void> {
      const output = await outputs.put(ref, `About ${taskName}.`);
      const another = request({ output, taskId: taskName, taskName });
      await store.change(ref, (run, now) => ask(run, another, now, { policy: DEFAULT_POLICY, hours: null }));
      await show(ref);
    },
    /** A run that has asked for nothing; resolves to its root message. */
    async startsQuietly(name: string): Promise<Message> {
      await store.create(name, (now) =>
        execution({ ref: name, crew: name, channel: CHANNEL, createdAt: now, root: duePost(now) }),
      );
      await show(name);
      return slack.as('maria').sees('#decide', name);
    },
    /** Posts a message of the app's with one button. */
    async offers(actionId: ActionId, { label, value }: { label: string; value: string }): Promise<Message> {
      const text = `Offer ${++count}`;
      const blocks = [section(text), ...buttons(button(actionId, label, { value }))];
      await clients.background.chat.postMessage({ channel: CHANNEL, text, blocks });
      return slack.as('maria').sees('#decide', text);
    },
    /** Shows a person these blocks in their Home tab. */
    async publishes(userId: string, blocks: AnyBlock[]): Promise<void> {
      await clients.background.views.publish({ user_id: userId, view: { type: 'home', blocks } });
    },
    /** What the ledger says of a run. */
    entriesOf: async (ref: string) => (await readChain(client, ref)).map(({ kind, facts }) => ({ kind, facts })),
    approvalOf: async (ref: string) => {
      const approval = findRequest(await load(ref), '1');
      if (!approval) throw new Error(`no request in ${ref}`);
      return approval;
    },
    async stop() {
      await app.stop();
      await slack.close();
      await closeRedis(client);
      await redis.stop();
    },
  };
}

export type ApprovalWorld = Awaited<ReturnType<typeof startApprovalWorld>>;

function directoryOf(groups: Groups): SlackDirectory & ListDirectory {
  const isGroup = ({ kind }: Approver) => kind === 'group' || kind === 'handle';
  const accountOf = async (id: string) => account(id, { isGuest: id === 'UGUEST005', isStranger: id === 'USTRANGE6' });
  const membersOf = async ({ name }: Approver) =>
    groups.canTell === 'now' ? new Set(groups.members[name] ?? []) : null;
  return {
    account: accountOf,
    accountInLists: accountOf,
    isPublic: async () => true,
    membersOf,
    membersInLists: membersOf,
    mentionsOf: async (approvers) =>
      groups.canTell === 'now'
        ? approvers.map((each) =>
            isGroup(each) ? { kind: 'group', id: 'SRELEASE1' } : { kind: 'person', id: each.name },
          )
        : null,
    approverNames: async () => (name) => name,
  };
}
