import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/core/approval/approval.ts';
import type { Policy } from '../../../src/core/approval/policy/policy.ts';
import { DEFAULT_POLICY } from '../../../src/core/approval/policy/policy.ts';
import type { Execution } from '../../../src/core/execution/execution.ts';
import { claimMessage, settleMessage } from '../../../src/core/messages/delivery.ts';
import { type Message, postOf } from '../../../src/core/messages/message.ts';
import { duePost } from '../../../src/core/messages/post.ts';
import { startSlackWorkspace } from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { createSlackClients } from '../../../src/slack/api/clients.ts';
import { fetchIdentity } from '../../../src/slack/api/identity.ts';
import { slackLogger } from '../../../src/slack/api/logger.ts';
import { createThread } from '../../../src/slack/thread/thread.ts';
import type { Mention } from '../../../src/slack/ui/mentions.ts';
import { silent } from '../../crew/crew-values.ts';
import { JON, output, pending, posted, START } from '../../support/approvals.ts';
import { PROCESS } from '../../support/claims.ts';
import { execution } from '../../support/executions.ts';
import { policy } from '../ui/models.ts';

const CHANNEL = 'C0GENERAL1';
const NOTICE: Message = { kind: 'alert', approvalId: '1', alertId: '1' };
const GROUP: Mention = { kind: 'group', id: 'SRELEASE1' };

/** The bot of a workspace, with or without the scopes that let it read the history. */
async function startBot(scopes: string[]) {
  const slack = await startSlackWorkspace({ rateLimits: 'off', app: { scopes } });
  const { background: client } = createSlackClients({
    ...{ token: slack.botToken, apiUrl: slack.apiUrl, logger: slackLogger(silent) },
  });
  const thread = createThread({
    client,
    render: {
      outputs: { get: async () => 'A draft.', put: async () => output('unused') },
      activity: { latest: async () => [], add: async () => {} },
      crews: new Map(),
      rulesOf: () => ({ policy: { ...rule, tasks: [] }, hours: null }),
      identity: await fetchIdentity(client),
      namesOf: async () => (person) => person.name,
      mentionsOf: async () => mentions,
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
let rule: Policy;

beforeAll(async () => {
  reader = await startBot(['chat:write', 'chat:write.public', 'channels:history']);
  blind = await startBot(['chat:write', 'chat:write.public']);
});
afterAll(() => Promise.all([reader.slack.close(), blind.slack.close()]));
beforeEach(() => {
  mentions = [GROUP];
  rule = policy({ approvers: ['@release-managers'] });
  for (const { slack } of [reader, blind]) slack.faults.clear();
});

function due({ rootTs }: Bot, change: Partial<Alert> = {}, votes = pending().votes): Execution {
  const post = duePost(START);
  const alert: Alert = { id: '1', kind: 'reminder', by: null, mentions: ['@release-managers'], post, ...change };
  return execution({
    ...{ channel: CHANNEL, root: posted({ ts: rootTs }), createdAt: Date.now() },
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
    const outcome = await bot.thread.post(each, NOTICE, { lookUp: isUnsure ? 'look-up' : 'new', now });
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
    expect(last(reader)).toContain('⏰ <!subteam^SRELEASE1>: “Draft” has been waiting for your approval');
    expect(reader.slack.messages().at(-1)).toMatchObject({ threadTs: reader.rootTs });
  });

  it('is posted only once Slack can say whom to mention', async () => {
    mentions = null;
    const before = sent(reader);
    const waiting = await post(reader, due(reader));
    expect(postOf(waiting, NOTICE)).toMatchObject({ status: 'due', tries: 1 });
    expect(sent(reader)).toBe(before);
  });

  it('mentions nobody who has approved, may not decide, or was not meant', async () => {
    const person = (id: string): Mention => ({ kind: 'person', id });
    rule = policy({ approvers: ['@release-managers'], selfApproval: false });
    mentions = [person('U0STARTER'), person('UVOTER'), GROUP, person('UMORE1'), person('UMORE2'), person('UMORE3')];
    const votes = [{ by: { ...JON, id: 'UVOTER' }, at: START, feedback: null }];
    const asked = due(reader, { mentions: ['@release-managers', 'a@b.example'] }, votes);
    await post(reader, { ...asked, origin: { kind: 'command', by: { id: 'U0STARTER', name: 'maria' } } });
    expect(last(reader).match(/<@\w+>|<!subteam\^\w+>/g)).toEqual(['<!subteam^SRELEASE1>', '<@UMORE1>']);
  });

  it('says in words who can decide where there is nobody to mention', async () => {
    rule = DEFAULT_POLICY;
    await post(reader, due(reader, { kind: 'ask', by: JON, mentions: [] }));
    expect(last(reader)).toContain('🙋 Jon asks for a decision on “Draft”');
    expect(last(reader)).toContain('All members of the workspace can decide it.');
  });

  it('is told more plainly if Slack refuses it', async () => {
    reader.slack.faults.add({
      method: 'chat.postMessage',
      effect: { kind: 'error', error: 'invalid_blocks' },
      times: 1,
    });
    const after = await post(reader, due(reader));
    expect(postOf(after, NOTICE)).toMatchObject({ status: 'posted' });
    expect(last(reader)).toContain('<!subteam^SRELEASE1>: This request has been waiting');
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
