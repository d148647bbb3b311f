import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimMessage, settleMessage } from '../../../src/core/messages/delivery.ts';
import type { Account } from '../../../src/core/policy/permits.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/core/policy/policy.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { type Message, postOf } from '../../../src/core/state/message.ts';
import { duePost } from '../../../src/core/state/post.ts';
import type { Alert } from '../../../src/core/state/request.ts';
import { startSlackWorkspace } from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { fetchIdentity } from '../../../src/slack/api/identity.ts';
import { createThread } from '../../../src/slack/thread/thread.ts';
import type { NamedMention } from '../../../src/slack/ui/person.ts';
import { crew, silent } from '../../crew/crew-values.ts';
import { PROCESS } from '../../support/claims.ts';
import { execution } from '../../support/executions.ts';
import { chosen } from '../../support/person-settings.ts';
import { account, JON, output, pending, posted, START } from '../../support/requests.ts';
import { SAYINGS } from '../../support/say.ts';
import { policy } from '../ui/models.ts';

const CHANNEL = 'C0GENERAL1';
const NOTICE: Message = { kind: 'alert', approvalId: '1', alertId: '1' };
const GROUP: NamedMention = { kind: 'group', id: 'SRELEASE1' };

/** The bot of a workspace, with or without the scope by which Slack tells of messages. */
async function startBot(scopes: string[]) {
  const slack = await startSlackWorkspace({ rateLimits: 'off', app: { scopes } });
  const { background: client } = createSlackClients({
    token: slack.botToken,
    apiUrl: slack.apiUrl,
    logger: slackLogger(silent),
  });
  const thread = createThread({
    client,
    render: {
      outputs: { get: async () => 'A draft.', put: async () => output('unused') },
      findChange: async () => null,
      activity: { latest: async () => [], add: async () => {} },
      crews: new Map(
        [crew({ name: 'german', language: 'de' }), crew({ name: 'editorial' })].map((each) => [each.name, each]),
      ),
      rulesOf: () => ({ policy: { ...DEFAULT_POLICY, ...rule }, hours: null }),
      identity: await fetchIdentity(client),
      sayings: SAYINGS,
      namesOf: async () => (person) => person.name,
      languageOf: async () => 'en',
      settings: chosen(),
      isPublic: async () => true,
      accountInLists: async () => null,
      mentionsOf: async () => mentions,
      membersOf: async () => members && new Set(members),
      membersInLists: async () => members && new Set(members),
      account: async (id) => (Object.hasOwn(accounts, id) ? (accounts[id] ?? null) : account(id)),
      approverNames: async () => (asWritten) => asWritten,
    },
    notifier: { notify: async () => 'told' },
    log: silent,
  });
  const root = await client.chat.postMessage({ channel: CHANNEL, text: 'The root.' });
  return { slack, thread, rootTs: root.ts ?? '' };
}

type Bot = Awaited<ReturnType<typeof startBot>>;

let hearing: Bot;
let deaf: Bot;
/** What the directory says. */
let mentions: NamedMention[] | null;
let members: string[] | null;
let accounts: Record<string, Account | null>;
let rule: Policy;

beforeAll(async () => {
  hearing = await startBot(['chat:write', 'channels:read', 'metadata.message:read']);
  deaf = await startBot(['chat:write', 'channels:read']);
});
afterAll(() => Promise.all([hearing.slack.close(), deaf.slack.close()]));
beforeEach(() => {
  mentions = [GROUP];
  members = [JON.id];
  accounts = {};
  rule = policy({ approvers: ['@release-managers'] });
  for (const { slack } of [hearing, deaf]) slack.faults.clear();
});

function due({ rootTs }: Bot, change: Partial<Alert> = {}, votes = pending().discussion.votes): Execution {
  const alert: Alert = { id: '1', kind: 'reminder', by: null, mentions: ['@release-managers'], ...change };
  return execution({
    channel: CHANNEL,
    root: posted({ ts: rootTs }),
    createdAt: Date.now(),
    requests: [pending({ alerts: [{ ...alert, post: duePost(START) }], votes })],
  });
}

/** Tries until the alert is posted, given up, or due only later, as the worker does. */
async function post(bot: Bot, before: Execution, { from = 0, tries: most = 6 } = {}): Promise<Execution> {
  let each = before;
  for (let tries = from; tries < most; tries++) {
    const isUnsure = postOf(each, NOTICE)?.status === 'unsure';
    // A time by which every retry is due.
    const now = START + tries * 3_600_000;
    each = claimMessage(each, NOTICE, PROCESS, now);
    const claim = postOf(each, NOTICE);
    if (claim?.status !== 'posting') break;
    const outcome = await bot.thread.post(each, NOTICE, { posting: isUnsure ? 'again' : 'new', now });
    each = settleMessage(each, { message: NOTICE, attempt: claim.attempt, outcome }, now);
    if (outcome.kind === 'later') break;
  }
  return each;
}

const sent = ({ slack }: Bot) => slack.calls().filter(({ name }) => name === 'chat.postMessage').length;
const last = ({ slack }: Bot) => JSON.stringify(slack.messages().at(-1)?.blocks);

describe('an alert', () => {
  it('is a reply that mentions those whom the policy names', async () => {
    const after = await post(hearing, due(hearing));
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'posted' });
    expect(last(hearing)).toContain('⏰ <!subteam^SRELEASE1>: “Draft” has been waiting for approval');
    expect(hearing.slack.messages().at(-1)).toMatchObject({ threadTs: hearing.rootTs });
  });

  it('is posted only once Slack can say whom to mention', async () => {
    mentions = null;
    const before = sent(hearing);
    const waiting = await post(hearing, due(hearing));
    expect(postOf(waiting, NOTICE)).toMatchObject({ status: 'due', tries: 1 });
    expect(sent(hearing)).toBe(before);
  });

  describe('of a group', () => {
    const starter = { id: 'U0STARTER', name: 'maria' };
    const TEAM = ['U0STARTER', 'U0VOTER', 'U0VOTER2', 'U0GUEST', 'U0LEFT', 'U0KIM', 'U0ANA'];

    /** Whom it mentions, of a run that one of them has started and one has approved. */
    async function mentioned(change: Partial<Alert> = {}): Promise<string[]> {
      const votes = [{ by: { ...JON, id: 'U0VOTER' }, at: START, feedback: null }];
      await post(hearing, { ...due(hearing, change, votes), origin: { kind: 'command', by: starter } });
      return last(hearing).match(/<@\w+>|<!subteam\^\w+>/g) ?? [];
    }

    beforeEach(() => {
      rule = policy({ approvers: ['@release-managers', 'U0LATE'], selfApproval: false, quorum: 3 });
      members = TEAM;
      accounts = {
        U0VOTER2: account('U0VOTER2', { identities: ['U0VOTER2', 'U0VOTER'] }),
        U0GUEST: account('U0GUEST', { isGuest: true }),
        U0LEFT: account('U0LEFT', { isDeactivated: true }),
      };
    });

    it('leaves people out that the policy names by their ids, too', async () => {
      mentions = ['U0VOTER', 'U0GUEST', 'U0ANA', 'U0STRAY'].map((id) => ({ kind: 'person', id }));
      rule = { ...rule, approvers: ['U0VOTER', 'U0GUEST', 'U0ANA'].map((name) => ({ kind: 'person', name })) };
      expect(await mentioned()).toEqual(['<@U0ANA>']);
    });

    it.each([
      ['of which some may still decide and haven’t voted', TEAM],
      ['of which Slack can’t tell who is in it', null],
      ['whose members may all decide', ['U0KIM', 'U0ANA']],
      ['that is too large to list', [...TEAM, ...Array.from({ length: 44 }, (_, i) => `U0MORE${i}`)]],
    ])('mentions a group as a whole %s', async (_, people) => {
      members = people;
      expect(await mentioned()).toEqual(['<!subteam^SRELEASE1>']);
    });

    it('mentions nobody where nobody is left, and says who can decide', async () => {
      members = ['U0VOTER', 'U0STARTER'];
      expect(await mentioned()).toEqual([]);
      expect(last(hearing)).toContain('Who can decide: @release-managers and U0LATE.');
    });
  });

  it('says in words who can decide where there is nobody to mention', async () => {
    rule = DEFAULT_POLICY;
    await post(hearing, due(hearing, { kind: 'ask', by: JON, mentions: [] }));
    expect(last(hearing)).toContain('Jon asks for a decision.');
    expect(last(hearing)).toContain('Who can decide: all members of the workspace.');
  });

  it('is in the language of the crew', async () => {
    rule = DEFAULT_POLICY;
    await post(hearing, { ...due(hearing, { kind: 'ask', by: JON, mentions: [] }), crew: 'german' });
    expect(last(hearing)).toContain(
      'Jon bittet um eine Entscheidung. Entscheiden können: alle Mitglieder des Workspace.',
    );
  });

  it('is told more plainly if Slack refuses it', async () => {
    hearing.slack.faults.add({
      method: 'chat.postMessage',
      effect: { kind: 'error', error: 'invalid_blocks' },
      times: 1,
    });
    const after = await post(hearing, due(hearing));
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'posted' });
    expect(last(hearing)).toContain('<!subteam^SRELEASE1>: A result has been waiting');
  });
});

describe('an alert that may have been posted', () => {
  const dropAnswer = ({ slack }: Bot) =>
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'apply-then-drop' }, times: 1 });

  it('isn’t posted again before Slack would have told of it, and then only if it tells of messages there', async () => {
    for (const bot of [hearing, deaf]) {
      dropAnswer(bot);
      const before = sent(bot);
      const unsure = await post(bot, due(bot), { tries: 1 });
      expect(postOf(unsure, NOTICE)).toMatchObject({ status: 'unsure', notBefore: START + 7 * 60_000 });
      const after = await post(bot, unsure, { from: 1 });
      const isHearing = bot === hearing;
      expect(postOf(after, NOTICE)).toMatchObject(isHearing ? { status: 'posted' } : { status: 'gone', ts: null });
      expect(sent(bot)).toBe(before + (isHearing ? 2 : 1));
    }
  });

  it('waits as long as Slack doesn’t say whether the bot is in the channel', async () => {
    dropAnswer(hearing);
    hearing.slack.faults.add({ method: 'conversations.info', effect: { kind: 'status', status: 500 } });
    const after = await post(hearing, due(hearing), { tries: 2 });
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'unsure', tries: 2 });
  });
});
