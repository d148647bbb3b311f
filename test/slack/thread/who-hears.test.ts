import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../src/core/approval/policy/facts.ts';
import type { Policy } from '../../../src/core/approval/policy/policy.ts';
import type { Execution } from '../../../src/core/execution/execution.ts';
import { claimMessage, settleMessage, settleRefresh } from '../../../src/core/messages/delivery.ts';
import { type Message, postOf } from '../../../src/core/messages/message.ts';
import { duePost } from '../../../src/core/messages/post.ts';
import type { Notify } from '../../../src/core/notify.ts';
import type { ThreadPort } from '../../../src/core/ports.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { createSlackClients } from '../../../src/slack/api/clients.ts';
import { fetchIdentity } from '../../../src/slack/api/identity.ts';
import { slackLogger } from '../../../src/slack/api/logger.ts';
import { createThread } from '../../../src/slack/thread/thread.ts';
import { silent } from '../../crew/crew-values.ts';
import { account, decided, delivered, output, pending, posted, START } from '../../support/approvals.ts';
import { PROCESS } from '../../support/claims.ts';
import { execution } from '../../support/executions.ts';
import { policy } from '../ui/models.ts';

const CHANNEL = 'C0GENERAL1';
const [MARIA, JON, AIKO, PRIYA] = ['UMARIA001', 'UJON00002', 'UAIKO0003', 'UPRIYA004'] as const;
const GROUP = 'SRELEASE1';
const CARD: Message = { kind: 'card', approvalId: '1' };

let slack: SlackWorkspace;
let thread: ThreadPort;
let rootTs: string;
/** What the operator and Slack say. */
let rule: Policy;
let notify: Notify;
let members: string[];
let accounts: Record<string, Account>;

beforeAll(async () => {
  // Without the scopes to read the history.
  slack = await startSlackWorkspace({ rateLimits: 'off', app: { scopes: ['chat:write', 'chat:write.public'] } });
  const { background: client } = createSlackClients({
    ...{ token: slack.botToken, apiUrl: slack.apiUrl, logger: slackLogger(silent) },
  });
  thread = createThread({
    client,
    render: {
      outputs: { get: async () => '# The first line\n\nand the second', put: async () => output('unused') },
      findChange: async () => null,
      activity: { latest: async () => [], add: async () => {} },
      crews: new Map(),
      rulesOf: () => ({ policy: { ...rule, tasks: [] }, hours: null, notify }),
      identity: await fetchIdentity(client),
      namesOf: async () => (person) => person.name,
      languageOf: async (id) => (id === AIKO ? 'de' : 'en'),
      mentionsOf: async (asked) =>
        asked.map(({ kind, name }) => (kind === 'person' ? { kind, id: name } : { kind: 'group', id: GROUP })),
      membersOf: async () => new Set(members),
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
});

const asked = (change: Parameters<typeof pending>[0] = {}): Execution =>
  execution({
    ...{ channel: CHANNEL, root: posted({ ts: rootTs }), createdAt: Date.now() },
    origin: { kind: 'command', by: { id: MARIA, name: 'maria' } },
    approvals: [pending({ card: duePost(START), ...change })],
  });

/** Tries until it is posted or given up, as the worker does. */
async function post(before: Execution, message: Message = CARD): Promise<Execution> {
  let each = before;
  for (let tries = 0; tries < 6; tries++) {
    const lookUp = postOf(each, message)?.status === 'unsure' ? 'look-up' : 'new';
    const now = START + tries * 3_600_000;
    each = claimMessage(each, message, PROCESS, now);
    const claim = postOf(each, message);
    if (claim?.status !== 'posting') return each;
    const outcome = await thread.post(each, message, { lookUp, now });
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

  it('mentions a group by its handle, unless some of it may not decide', async () => {
    rule = policy({ approvers: ['@release-managers'] });
    await post(asked());
    expect(shown()).toEqual([`<!subteam^${GROUP}>`, `<@${MARIA}>`]);
    accounts = { [JON]: account(JON, { isGuest: true }) };
    await post(asked());
    expect(shown()).toEqual([PRIYA, MARIA].map((id) => `<@${id}>`));
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
    const { card, mentioned } = after.approvals[0] ?? pending();
    await thread.update({ ...after, approvals: [decided({ card, mentioned })] }, CARD, START);
    expect(shown()).toEqual([]);
  });

  it('mentions nobody when it is posted again', async () => {
    const after = await post(asked());
    const deleted = settleRefresh(after, { message: CARD, outcome: { kind: 'gone' } }, START);
    await post(deleted);
    expect([shown(), newest()?.notifies]).toEqual([[], []]);
  });

  it('mentions nobody where it may be there already', async () => {
    slack.faults.add({ method: 'chat.postMessage', effect: { kind: 'apply-then-drop' }, times: 1 });
    const after = await post(asked());
    expect(newest()?.notifies).toEqual([]);
    expect(after.approvals[0]?.mentioned).toEqual([]);
  });
});

it('a card says at last until when its text is stored, and what its hash is', async () => {
  const after = await post(asked());
  const { card } = after.approvals[0] ?? pending();
  const hash = 'ab'.repeat(32);
  const approvals = [delivered({ card, output: { hash, length: 30 } })];
  await thread.update({ ...after, approvals, expiry: { at: START, isTold: true } }, CARD, START);
  expect(JSON.stringify(newest()?.blocks)).toMatch(
    new RegExp(`The text was stored until .*1970-01-01.* SHA-256, as in the ledger: \`${hash}\``),
  );
});

describe('a direct message', () => {
  const recipients = (each: Execution) => thread.recipients(each, each.approvals[0] ?? pending());
  const due = (to: string) => {
    const list = [{ to, channel: null, post: duePost(START) }];
    return asked({ card: posted({ ts: '1795366648.368000' }), directMessages: { status: 'listed', list } });
  };
  const to = (person: string): Message => ({ kind: 'direct-message', approvalId: '1', to: person });

  it('goes to each person and each member of a small group, and to the starter, but to nobody who may not decide', async () => {
    rule = policy({ approvers: [JON, AIKO, '@release-managers'] });
    expect(await recipients(asked())).toEqual([JON, AIKO, PRIYA, MARIA]);
    rule = policy({ approvers: [MARIA, '@release-managers'], selfApproval: false });
    accounts = { [JON]: account(JON, { isGuest: true }) };
    expect(await recipients(asked())).toEqual([PRIYA]);
    members = Array.from({ length: 21 }, (_, i) => `UMORE${i}`);
    expect(await recipients(asked())).toEqual([]);
  });

  it('says crew, task and the first line in the language of the person, and leads to the card', async () => {
    await post(due(JON), to(JON));
    expect(newest()).toMatchObject({ text: 'Approval needed: Draft · editorial\nThe first line' });
    expect(newest()?.channel).not.toBe(CHANNEL);
    expect(newest()?.threadTs).toBeUndefined();
    expect(JSON.stringify(newest()?.blocks)).toContain(`/archives/${CHANNEL}/p1795366648368000?thread_ts=${rootTs}`);
    await post(due(AIKO), to(AIKO));
    expect(newest()?.text).toContain('Freigabe nötig: Draft · editorial');
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
