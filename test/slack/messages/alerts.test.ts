import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/core/approval/approval.ts';
import type { Account } from '../../../src/core/approval/policy/evaluate.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/core/approval/policy/policy.ts';
import type { Execution } from '../../../src/core/execution/execution.ts';
import { claimMessage, settleMessage } from '../../../src/core/messages/delivery.ts';
import { type Message, postOf } from '../../../src/core/messages/message.ts';
import { duePost } from '../../../src/core/messages/post.ts';
import { startSlackWorkspace } from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { fetchIdentity } from '../../../src/slack/api/identity.ts';
import { createThread } from '../../../src/slack/messages/thread.ts';
import type { Mention } from '../../../src/slack/ui/person.ts';
import { crew, silent } from '../../crew/crew-values.ts';
import { account, JON, output, pending, posted, START } from '../../support/approvals.ts';
import { PROCESS } from '../../support/claims.ts';
import { execution } from '../../support/executions.ts';
import { chosen } from '../../support/person-settings.ts';
import { policy } from '../ui/models.ts';

const CHANNEL = 'C0GENERAL1';
const NOTICE: Message = { kind: 'alert', approvalId: '1', alertId: '1' };
const GROUP: Mention = { kind: 'group', id: 'SRELEASE1' };

/** The bot of a workspace, with or without the scopes that let it read the history. */
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
      rulesOf: () => ({ policy: { ...rule, tasks: [] }, hours: null }),
      identity: await fetchIdentity(client),
      namesOf: async () => (person) => person.name,
      languageOf: async () => 'en',
      timeZoneOf: async () => 'UTC',
      settings: chosen(),
      isPublic: async () => true,
      accountInLists: async () => null,
      mentionsOf: async () => mentions,
      membersOf: async () => members && new Set(members),
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

let reader: Bot;
let blind: Bot;
/** What the directory says. */
let mentions: Mention[] | null;
let members: string[] | null;
let accounts: Record<string, Account | null>;
let rule: Policy;

beforeAll(async () => {
  reader = await startBot(['chat:write', 'chat:write.public', 'channels:history']);
  blind = await startBot(['chat:write', 'chat:write.public']);
});
afterAll(() => Promise.all([reader.slack.close(), blind.slack.close()]));
beforeEach(() => {
  mentions = [GROUP];
  members = [JON.id];
  accounts = {};
  rule = policy({ approvers: ['@release-managers'] });
  for (const { slack } of [reader, blind]) slack.faults.clear();
});

function due({ rootTs }: Bot, change: Partial<Alert> = {}, votes = pending().votes): Execution {
  const post = duePost(START);
  const alert: Alert = { id: '1', kind: 'reminder', by: null, mentions: ['@release-managers'], post, ...change };
  return execution({
    channel: CHANNEL,
    root: posted({ ts: rootTs }),
    createdAt: Date.now(),
    approvals: [pending({ alerts: [alert], votes })],
  });
}

/** Tries until the alert is posted, given up, or due only later, as the worker does. */
async function post(bot: Bot, before: Execution): Promise<Execution> {
  let each = before;
  for (let tries = 0; tries < 6; tries++) {
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
    const after = await post(reader, due(reader));
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'posted' });
    expect(last(reader)).toContain('⏰ <!subteam^SRELEASE1>: “Draft” has been waiting for approval');
    expect(reader.slack.messages().at(-1)).toMatchObject({ threadTs: reader.rootTs });
  });

  it('is posted only once Slack can say whom to mention', async () => {
    mentions = null;
    const before = sent(reader);
    const waiting = await post(reader, due(reader));
    expect(postOf(waiting, NOTICE)).toMatchObject({ status: 'due', tries: 1 });
    expect(sent(reader)).toBe(before);
  });

  describe('of a group', () => {
    const starter = { id: 'U0STARTER', name: 'maria' };
    const TEAM = ['U0STARTER', 'U0VOTER', 'U0VOTER2', 'U0GUEST', 'U0LEFT', 'U0KIM', 'U0ANA'];

    /** Whom it mentions, of a run that one of them has started and one has approved. */
    async function mentioned(change: Partial<Alert> = {}): Promise<string[]> {
      const votes = [{ by: { ...JON, id: 'U0VOTER' }, at: START, feedback: null }];
      await post(reader, { ...due(reader, change, votes), origin: { kind: 'command', by: starter } });
      return last(reader).match(/<@\w+>|<!subteam\^\w+>/g) ?? [];
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

    it('mentions one by one who may still decide and hasn’t voted, if that isn’t everybody', async () => {
      expect(await mentioned()).toEqual(['<@U0KIM>', '<@U0ANA>']);
    });

    it('leaves people out that the policy names by their ids, too', async () => {
      mentions = ['U0VOTER', 'U0GUEST', 'U0ANA', 'U0STRAY'].map((id) => ({ kind: 'person', id }));
      rule = { ...rule, approvers: ['U0VOTER', 'U0GUEST', 'U0ANA'].map((name) => ({ kind: 'person', name })) };
      expect(await mentioned()).toEqual(['<@U0ANA>']);
    });

    it('leaves out nobody of whom Slack can’t tell, but those who are known to have voted or started it', async () => {
      accounts = Object.fromEntries(TEAM.map((id) => [id, null]));
      expect(await mentioned()).toEqual(TEAM.slice(2).map((id) => `<@${id}>`));
    });

    it.each([
      ['of which Slack can’t tell who is in it', null],
      ['whose members may all decide', ['U0KIM', 'U0ANA']],
      ['that is too large to list', [...TEAM, ...Array.from({ length: 14 }, (_, i) => `U0MORE${i}`)]],
    ])('mentions a group as a whole %s', async (_, people) => {
      members = people;
      expect(await mentioned()).toEqual(['<!subteam^SRELEASE1>']);
    });

    it('mentions nobody where nobody is left, and says who can decide', async () => {
      members = ['U0VOTER', 'U0STARTER'];
      expect(await mentioned()).toEqual([]);
      expect(last(reader)).toContain('Who can decide: @release-managers and U0LATE.');
    });
  });

  it('says in words who can decide where there is nobody to mention', async () => {
    rule = DEFAULT_POLICY;
    await post(reader, due(reader, { kind: 'ask', by: JON, mentions: [] }));
    expect(last(reader)).toContain('Jon asks for a decision.');
    expect(last(reader)).toContain('Who can decide: all members of the workspace.');
  });

  it('is in the language of the crew', async () => {
    rule = DEFAULT_POLICY;
    await post(reader, { ...due(reader, { kind: 'ask', by: JON, mentions: [] }), crew: 'german' });
    expect(last(reader)).toContain(
      'Jon bittet um eine Entscheidung. Entscheiden können: alle Mitglieder des Workspace.',
    );
  });

  it('is told more plainly if Slack refuses it', async () => {
    reader.slack.faults.add({
      method: 'chat.postMessage',
      effect: { kind: 'error', error: 'invalid_blocks' },
      times: 1,
    });
    const after = await post(reader, due(reader));
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'posted' });
    expect(last(reader)).toContain('<!subteam^SRELEASE1>: A result has been waiting');
  });
});

describe('an alert that may have been posted', () => {
  const dropAnswer = ({ slack }: Bot) =>
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'apply-then-drop' }, times: 1 });

  it('is found, and not edited', async () => {
    dropAnswer(reader);
    const before = sent(reader);
    const after = await post(reader, { ...due(reader), ref: 'posted-once' });
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'posted', shown: 'once' });
    expect(sent(reader)).toBe(before + 1);
  });

  it('is posted again where the history shows that it wasn’t', async () => {
    reader.slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'status', status: 500 }, times: 1 });
    const before = sent(reader);
    const after = await post(reader, { ...due(reader), ref: 'never-posted' });
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'posted' });
    expect(sent(reader)).toBe(before + 2);
  });

  it('is given up where nobody can tell, so that no one is mentioned twice', async () => {
    dropAnswer(blind);
    const before = sent(blind);
    const after = await post(blind, due(blind));
    expect(postOf(after, NOTICE)).toEqual({ status: 'gone', ts: null });
    expect(sent(blind)).toBe(before + 1);
  });
});
