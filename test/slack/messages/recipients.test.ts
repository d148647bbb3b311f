import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimMessage, settleMessage, settleRefresh } from '../../../src/core/messages/delivery.ts';
import type { Notify } from '../../../src/core/policy/crew-rules.ts';
import type { Account } from '../../../src/core/policy/permits.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/core/policy/policy.ts';
import type { ThreadPort } from '../../../src/core/ports.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { type Message, postOf, renderingOf, tsOf } from '../../../src/core/state/message.ts';
import { duePost, type Recipient } from '../../../src/core/state/post.ts';
import { NO_TIMES } from '../../../src/core/state/request.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { fetchIdentity } from '../../../src/slack/api/identity.ts';
import { createThread } from '../../../src/slack/thread/thread.ts';
import { silent } from '../../crew/crew-values.ts';
import { PROCESS } from '../../support/claims.ts';
import { changed, execution } from '../../support/executions.ts';
import { chosen } from '../../support/person-settings.ts';
import { account, decided, decision, delivered, output, pending, posted, START } from '../../support/requests.ts';
import { SAYINGS } from '../../support/say.ts';
import { handOver, policy, vote } from '../ui/models.ts';

const CHANNEL = 'C0GENERAL1';
const [MARIA, JON, AIKO, PRIYA] = ['UMARIA001', 'UJON00002', 'UAIKO0003', 'UPRIYA004'] as const;
const GROUP = 'SRELEASE1';
const CARD: Message = { kind: 'card', approvalId: '1' };

const person = (id: string) => ({ id, name: id });

let slack: SlackWorkspace;
let thread: ThreadPort;
let rootTs: string;
/** What the operator and Slack say. */
let rule: Policy;
let notify: Notify;
let members: string[] | null;
let accounts: Record<string, Account | null>;
let insiders: string[] | null;
let isPublic: boolean | null;
/** What people have chosen. */
let settings: Parameters<typeof chosen>[0];

beforeAll(async () => {
  // Without the scope by which Slack tells of messages.
  slack = await startSlackWorkspace({ rateLimits: 'off', app: { scopes: ['chat:write', 'chat:write.public'] } });
  const { background: client } = createSlackClients({
    token: slack.botToken,
    apiUrl: slack.apiUrl,
    logger: slackLogger(silent),
  });
  thread = createThread({
    client,
    render: {
      outputs: { get: async () => '# The first line\n\nand the second', put: async () => output('unused') },
      findChange: async () => null,
      activity: { latest: async () => [], add: async () => {} },
      crews: new Map(),
      rulesOf: () => ({ policy: { ...DEFAULT_POLICY, ...rule }, hours: null, notify }),
      identity: await fetchIdentity(client),
      sayings: SAYINGS,
      namesOf: async () => (person) => person.name,
      languageOf: async (id) => (id === AIKO ? 'de' : 'en'),
      settings: {
        find: async (id) => chosen(settings).find(id),
        all: async () => chosen(settings).all(),
      },
      isPublic: async () => isPublic,
      accountInLists: async (id) => accounts[id] ?? account(id),
      mentionsOf: async (asked) =>
        asked.map(({ kind, name }) => (kind === 'person' ? { kind, id: name } : { kind: 'group', id: GROUP })),
      membersOf: async ({ kind }) => {
        const found = kind === 'channel' ? insiders : members;
        return found && new Set(found);
      },
      membersInLists: async ({ kind, name }) => {
        if (kind === 'person') return new Set([name]);
        const found = kind === 'channel' ? insiders : members;
        return found && new Set(found);
      },
      account: async (id) => accounts[id] ?? account(id),
      approverNames: async () => (asWritten) => asWritten,
    },
    notifier: { notify: async () => 'told' },
    log: silent,
  });
  rootTs = (await client.chat.postMessage({ channel: CHANNEL, text: 'The root.' })).ts ?? '';
});
afterAll(() => slack.close());
beforeEach(() => {
  slack.faults.clear();
  rule = policy({ approvers: [JON, AIKO] });
  notify = 'mention';
  members = [JON, PRIYA];
  accounts = {};
  [isPublic, settings, insiders] = [true, {}, [JON, AIKO, PRIYA, MARIA]];
});

const asked = (change: Parameters<typeof pending>[0] = {}): Execution =>
  execution({
    channel: CHANNEL,
    root: posted({ ts: rootTs }),
    createdAt: Date.now(),
    origin: { kind: 'command', by: { id: MARIA, name: 'maria' } },
    requests: [pending({ card: duePost(START), ...change })],
  });

/** Tries until it is posted or given up, as the worker does. */
async function post(before: Execution, message: Message = CARD): Promise<Execution> {
  let each = before;
  for (let tries = 0; tries < 6; tries++) {
    const posting = postOf(each, message)?.status === 'unsure' ? 'again' : 'new';
    const now = START + tries * 3_600_000;
    each = claimMessage(each, message, PROCESS, now);
    const claim = postOf(each, message);
    if (claim?.status !== 'posting') return each;
    const outcome = await thread.post(each, message, { posting, now });
    each = settleMessage(each, { message, attempt: claim.attempt, outcome }, now);
  }
  return each;
}

const newest = () => slack.messages().at(-1);
const shown = () => JSON.stringify(newest()?.blocks).match(/<@\w+>|<!subteam\^\w+>/g) ?? [];

describe('a new card', () => {
  it.each([
    ['the few whom the policy names, and the starter', [JON, AIKO], [JON, AIKO, MARIA]],
    ['only the starter where the policy names more', [JON, AIKO, PRIYA, 'UGUEST005'], [MARIA]],
    ['only the starter where anybody can decide', ['workspace'], [MARIA]],
    ['only the starter where the members of the channel can', ['channel'], [MARIA]],
  ])('mentions %s', async (_, approvers, mentioned) => {
    rule = policy({ approvers });
    await post(asked());
    expect(shown()).toEqual(mentioned.map((id) => `<@${id}>`));
  });

  it('mentions everybody who is active in the channel where its members can decide and the crew wants that', async () => {
    notify = 'channel';
    rule = policy({ approvers: ['channel'] });
    const execution = await post(asked());
    expect(shown()).toEqual([`<@${MARIA}>`]);
    expect(JSON.stringify(newest()?.blocks)).toContain('<!here>');
    expect(execution.requests[0]?.discussion.mentioned).toContain('HERE');
    rule = policy({ approvers: ['workspace'] });
    await post(asked());
    expect(JSON.stringify(newest()?.blocks)).not.toContain('<!here>');
    notify = 'mention';
    rule = policy({ approvers: ['channel'] });
    await post(asked());
    expect(JSON.stringify(newest()?.blocks)).not.toContain('<!here>');
  });

  it('mentions a starter only once, whom the mention of a group reaches', async () => {
    rule = policy({ approvers: ['@release-managers'] });
    members = [JON, MARIA];
    await post(asked());
    expect(shown()).toEqual([`<!subteam^${GROUP}>`]);
  });

  it('mentions a group by its handle, unless none of it may decide', async () => {
    rule = policy({ approvers: ['@release-managers'] });
    await post(asked());
    expect(shown()).toEqual([`<!subteam^${GROUP}>`, `<@${MARIA}>`]);
    accounts = { [JON]: account(JON, { isGuest: true }), [PRIYA]: account(PRIYA, { isDeactivated: true }) };
    await post(asked());
    expect(shown()).toEqual([`<@${MARIA}>`]);
  });

  it('mentions no one who may not decide for what they are', async () => {
    rule = policy({ approvers: [JON, MARIA], selfApproval: false });
    await post(asked());
    expect(shown()).toEqual([`<@${JON}>`]);
    rule = policy({ approvers: [JON, AIKO] });
    accounts = { [MARIA]: account(MARIA, { isGuest: true }), [AIKO]: account(AIKO, { isStranger: true }) };
    await post(asked());
    expect(shown()).toEqual([`<@${JON}>`]);
  });

  it.each([
    ['a starter of whom Slack can’t tell', null, [MARIA]],
    ['no starter who has left', account(MARIA, { isDeactivated: true }), []],
    ['no starter of another organisation', account(MARIA, { isStranger: true }), []],
  ])('mentions %s', async (_, starter, mentioned) => {
    rule = policy({ approvers: ['workspace'] });
    accounts = { [MARIA]: starter };
    await post(asked());
    expect(shown()).toEqual(mentioned.map((id) => `<@${id}>`));
  });

  it.each(['dm', 'none'] as const)('mentions nobody where the crew’s people hear of it by %s', async (how) => {
    notify = how;
    await post(asked());
    expect(shown()).toEqual([]);
  });

  it('mentions people where Slack took it only more plainly', async () => {
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'error', error: 'invalid_blocks' }, times: 1 });
    await post(asked());
    expect(newest()?.notifies.toSorted()).toEqual([AIKO, JON, MARIA]);
  });
});

describe('a card that has mentioned people', () => {
  it('keeps that while it is open, whatever has changed since, and drops it once it is decided', async () => {
    const after = await post(asked());
    rule = policy({ approvers: [PRIYA] });
    await thread.update(after, CARD, START);
    expect(shown()).toEqual([JON, AIKO, MARIA].map((id) => `<@${id}>`));
    const {
      discussion: { mentioned },
    } = after.requests[0] ?? pending();
    await thread.update({ ...after, requests: [decided({ mentioned })] }, CARD, START);
    expect(shown()).toEqual([]);
  });

  it('mentions nobody when it is posted again', async () => {
    const after = await post(asked());
    const deleted = settleRefresh(after, { message: CARD, outcome: { kind: 'gone' }, replaced: '' }, START);
    await post(deleted);
    expect([shown(), newest()?.notifies]).toEqual([[], []]);
  });

  it('mentions nobody where it may be there already', async () => {
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'apply-then-drop' }, times: 1 });
    const after = await post(asked());
    expect(newest()?.notifies).toEqual([]);
    expect(after.requests[0]?.discussion.mentioned).toEqual(['UJON00002', 'UAIKO0003', 'UMARIA001']);
  });
});

it('a card says at last until when its text is stored, and what its hash is', async () => {
  const after = await post(asked());
  const hash = 'ab'.repeat(32);
  const requests = [delivered({ output: { hash, length: 30 } })];
  await thread.update({ ...after, requests, expiry: { at: START, isTold: true } }, CARD, START);
  expect(JSON.stringify(newest()?.blocks)).toMatch(
    new RegExp(`The text was stored until .*1970-01-01.* SHA-256, as in the ledger: \`${hash}\``),
  );
});

const CARD_TS = '1795366648.368000';
const AT_ONCE = { tell: { kind: 'at-once' } } as const;
const to = (person: string): Message => ({ kind: 'direct-message', approvalId: '1', to: person });

function due(
  person: string,
  reason: Recipient['reason'] = 'policy',
  change: Parameters<typeof pending>[0] = {},
): Execution {
  const list = [{ to: person, reason, channel: null, post: duePost(START) }];
  return asked({ card: posted({ ts: CARD_TS }), directMessages: { status: 'listed', list }, ...change });
}

describe('who gets a direct message', () => {
  const told = async (each: Execution) => {
    const { people, isComplete } = await thread.recipients(each, each.requests[0] ?? pending(), START);
    return isComplete ? people.map(({ to: person }) => person) : 'not known yet';
  };
  const listed = (each: Execution) => each.requests[0]?.discussion.directMessages.list.map(({ to: person }) => person);

  it('is each person and each member of a small group, and the starter, but nobody who may not decide', async () => {
    notify = 'dm';
    rule = policy({ approvers: [JON, AIKO, '@release-managers'] });
    expect(await told(asked())).toEqual([JON, AIKO, PRIYA, MARIA]);
    rule = policy({ approvers: [MARIA, '@release-managers'], selfApproval: false });
    accounts = { [JON]: account(JON, { isGuest: true }) };
    expect(await told(asked())).toEqual([PRIYA]);
    members = Array.from({ length: 51 }, (_, i) => `UMORE${i}`);
    expect(await told(asked())).toEqual([]);
  });

  it('is who wants to be told at once and may decide, as the card is posted', async () => {
    rule = policy({ approvers: [AIKO, '@release-managers'] });
    settings = {
      [AIKO]: AT_ONCE,
      [MARIA]: AT_ONCE,
      [JON]: { hearsEndings: true },
      [PRIYA]: { ...AT_ONCE, away: { since: START, until: START + 1, standIn: null } },
    };
    expect(listed(await post(asked()))).toEqual([AIKO]);
    expect(await told(asked({ votes: [vote({ id: AIKO, name: 'aiko' })] }))).toEqual([]);
    settings = { [PRIYA]: { ...AT_ONCE, away: { since: 0, until: START, standIn: null } } };
    expect(listed(await post(asked()))).toEqual([PRIYA]);
  });

  it('is nobody where nobody wants to, and then Slack isn’t asked about anybody', async () => {
    rule = policy({ approvers: ['workspace'] });
    settings = { [JON]: { hearsEndings: true } };
    members = null;
    expect(await thread.post(asked(), CARD, { posting: 'new', now: START })).not.toHaveProperty('recipients');
    expect(await told(asked())).toEqual([]);
  });

  it('is whom a mention doesn’t reach, as they aren’t in the channel', async () => {
    rule = policy({ approvers: [AIKO, '@release-managers'] });
    insiders = [JON, MARIA];
    accounts = { [PRIYA]: account(PRIYA, { isGuest: true }) };
    expect(listed(await post(asked()))).toEqual([AIKO]);
    notify = 'none';
    expect(listed(await post(asked()))).toEqual([]);
  });

  it('is fifty of them at most, and the card says how many more weren’t told', async () => {
    rule = policy({ approvers: ['@release-managers'] });
    members = Array.from({ length: 60 }, (_, i) => `UMORE${i}`);
    const after = await post(asked());
    expect(listed(after)).toEqual(members.slice(0, 50));
    await thread.update(after, CARD, START);
    const ts = tsOf(postOf(after, CARD));
    const card = slack.messages().find((each) => each.ts === ts);
    expect(JSON.stringify(card?.blocks)).toContain('10 more people who can decide aren’t in this channel');
  });

  it('is found out later where Slack can’t tell who is in the channel', async () => {
    insiders = null;
    const after = await post(asked());
    expect([listed(after), after.requests[0]?.discussion.directMessages.status]).toEqual([[], 'due']);
    insiders = [JON, MARIA];
    expect(await told(after)).toEqual([AIKO]);
  });

  it('is, of those whom only the workspace permits, nobody who can’t see a private channel', async () => {
    rule = policy({ approvers: ['workspace', AIKO] });
    settings = { [JON]: AT_ONCE, [AIKO]: AT_ONCE, [MARIA]: AT_ONCE };
    expect(await told(asked())).toEqual([JON, AIKO, MARIA]);
    insiders = [JON];
    notify = 'none';
    isPublic = false;
    expect(await told(asked())).toEqual([JON, AIKO]);
    isPublic = null;
    expect(await told(asked())).toBe('not known yet');
  });

  it('is asked again while Slack can’t tell, but who is known is told', async () => {
    rule = policy({ approvers: [AIKO, '@release-managers'] });
    settings = { [JON]: AT_ONCE, [AIKO]: AT_ONCE };
    members = null;
    const after = await post(asked());
    expect(listed(after)).toEqual([AIKO]);
    expect(after.requests[0]?.discussion.directMessages.status).toBe('due');
  });

  it('is, once it escalates, who may decide from then on, and nobody twice', async () => {
    rule = policy({ approvers: [AIKO], escalateTo: [JON] });
    settings = { [JON]: AT_ONCE, [AIKO]: AT_ONCE };
    const alert = { id: '1', kind: 'escalation' as const, by: null, mentions: [JON], post: duePost(START) };
    const escalated = { alerts: [alert], times: { ...NO_TIMES, escalations: [{ rules: '', at: START }] } };
    const {
      discussion: { directMessages },
    } = due(AIKO, 'setting').requests[0] ?? pending();
    const open = asked({ card: posted({ ts: CARD_TS }), directMessages, ...escalated });
    expect(listed(await post(open, { kind: 'alert', approvalId: '1', alertId: '1' }))).toEqual([AIKO, JON]);
  });
});

describe('a direct message', () => {
  it('is the card in the language of the person, and leads to the thread', async () => {
    await post(due(JON), to(JON));
    expect(newest()?.text).toMatch(
      /^You’re one of those who can decide\nApproval needed: Draft · editorial · tea\nThe first line/,
    );
    expect(newest()?.channel).not.toBe(CHANNEL);
    expect(newest()?.threadTs).toBeUndefined();
    const blocks = JSON.stringify(newest()?.blocks);
    for (const id of ['approve', 'reject', 'edit', 'more']) expect(blocks).toContain(`"action_id":"${id}`);
    expect(blocks).toContain(`/archives/${CHANNEL}/p1795366648368000?thread_ts=${rootTs}`);
    await post(due(AIKO), to(AIKO));
    expect(newest()?.text).toContain('Freigabe nötig: Draft · editorial');
  });

  it.each<[Recipient['reason'], Parameters<typeof pending>[0], string]>([
    ['setting', {}, 'You can decide, and asked to be told immediately'],
    ['outside', {}, `You can decide, but aren’t in <#${CHANNEL}>`],
    ['handed-over', { handedOver: [handOver(person(JON), person(MARIA))] }, 'UMARIA001 added you as an approver'],
    [
      'setting',
      { handedOver: [{ ...handOver(person(JON), person(MARIA)), until: START + 1 }] },
      'UMARIA001 is away, and you stand in',
    ],
    [
      'outside',
      { times: { ...NO_TIMES, escalations: [{ rules: '', at: START }] } },
      'Nobody has decided yet, so now you can, too',
    ],
  ])('says first why the person gets it: %s, %j', async (reason, change, why) => {
    settings = { [JON]: AT_ONCE };
    rule = policy({ approvers: [AIKO], escalateTo: [JON] });
    await post(due(JON, reason, change), to(JON));
    expect(newest()?.text).toMatch(new RegExp(`^${why}( · .*)?\nApproval needed`));
    expect(newest()?.blocks[0]).toMatchObject({
      type: 'context',
      elements: [{ text: expect.stringMatching(`^👋 ${why}`) }],
    });
    expect(JSON.stringify(newest()?.blocks.at(-1))).toMatch(new RegExp(`<#${CHANNEL}> · .*Open the thread`));
  });

  it('offers to add an approver to people whom the rules let decide, not to those to whom that was lent', async () => {
    const added = { handedOver: [handOver(person(JON), person(MARIA))] };
    const offered = async (change: Parameters<typeof due>[2]) => {
      await post(due(JON, 'handed-over', change), to(JON));
      return JSON.stringify(newest()?.blocks).includes('hand_over');
    };
    rule = policy({ approvers: [MARIA] });
    expect(await offered({})).toBe(true);
    expect(await offered(added)).toBe(false);
    rule = policy({ approvers: [MARIA, JON] });
    expect(await offered(added)).toBe(true);
    rule = policy({ approvers: [MARIA], escalateTo: [JON] });
    expect(await offered(added)).toBe(false);
    expect(await offered({ ...added, times: { ...NO_TIMES, escalations: [{ rules: '', at: START }] } })).toBe(true);
  });

  it('leads nobody into a private channel that they aren’t in', async () => {
    isPublic = false;
    insiders = [AIKO];
    await post(due(JON, 'outside'), to(JON));
    expect(newest()?.text).toMatch(/^You can decide, but aren’t in its channel, which is private\n/);
    expect(JSON.stringify(newest()?.blocks)).not.toMatch(/archives|<#/);
    insiders = [JON];
    await post(due(JON), to(JON));
    expect(JSON.stringify(newest()?.blocks.at(-1))).toMatch(new RegExp(`<#${CHANNEL}> · .*archives.*Open the thread`));
  });

  it('shows what becomes of the request: one line, but for the person who has decided it', async () => {
    const before = await post(due(JON), to(JON));
    const {
      discussion: { directMessages },
    } = before.requests[0] ?? pending();
    const { ts, channel } = newest() ?? {};
    const shows = async (change: Parameters<typeof decided>[0]) => {
      const requests = [decided({ card: posted({ ts: CARD_TS }), directMessages, ...change })];
      expect((await thread.update(changed(before, { requests }), to(JON), START)).kind).toBe('posted');
      return slack.messages().find((each) => each.ts === ts && each.channel === channel);
    };
    const undoable = { sendAt: START + 60_000, undoUntil: START + 60_000 };
    const byAnother = await shows({ ...undoable, decision: decision({ by: { id: AIKO, name: 'Aiko' } }) });
    expect(byAnother?.text).toBe('✅ Aiko approved “Draft” · editorial · tea');
    expect(JSON.stringify(byAnother?.blocks)).toMatch(/archives.*Open the thread/);
    expect(JSON.stringify(byAnother?.blocks)).not.toContain('action_id');
    const byThem = await shows({ ...undoable, decision: decision({ by: { id: JON, name: 'Jon' } }) });
    expect(JSON.stringify(byThem?.blocks)).toContain('"action_id":"undo"');
  });

  it('is plainer where Slack doesn’t take it', async () => {
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'error', error: 'invalid_blocks' }, times: 1 });
    const after = await post(due(JON), to(JON));
    expect(postOf(after, to(JON))?.status).toBe('posted');
    expect(renderingOf(after, to(JON))).toBe('rich-text');
  });

  it('isn’t posted to a person who no longer wants to be told, or is away', async () => {
    const status = async (reason: Recipient['reason']) =>
      postOf(await post(due(JON, reason), to(JON)), to(JON))?.status;
    expect(await status('setting')).toBe('gone');
    settings = { [JON]: { ...AT_ONCE, away: { since: 0, until: START + 1, standIn: null } } };
    expect(await status('setting')).toBe('gone');
    expect(await status('policy')).toBe('posted');
    settings = { [JON]: AT_ONCE };
    expect(await status('setting')).toBe('posted');
  });

  it('is given up where nobody can tell whether it was sent', async () => {
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'apply-then-drop' }, times: 1 });
    const before = slack.messages().length;
    expect(postOf(await post(due(JON), to(JON)), to(JON))).toEqual({ status: 'gone', ts: null });
    expect(slack.messages()).toHaveLength(before + 1);
  });

  it('is given up where Slack won’t take it, and tried again where it may', async () => {
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'error', error: 'channel_not_found' }, times: 1 });
    expect(postOf(await post(due(JON), to(JON)), to(JON))).toEqual({ status: 'gone', ts: null });
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'error', error: 'ratelimited' }, times: 1 });
    expect(postOf(await post(due(JON), to(JON)), to(JON))).toMatchObject({ status: 'posted' });
  });
});
