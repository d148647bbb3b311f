import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimMessage, settleMessage, settleRefresh } from '../../../src/core/messages/delivery.ts';
import type { ThreadPort } from '../../../src/core/ports.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { type Message, postOf, renderingOf } from '../../../src/core/state/message.ts';
import { contentOf, duePost } from '../../../src/core/state/post.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import type { WireEntry } from '../../../src/sandbox/slack-workspace/wire-entry.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { fetchIdentity } from '../../../src/slack/api/identity.ts';
import { createThread } from '../../../src/slack/thread/thread.ts';
import { crew, silent } from '../../crew/crew-values.ts';
import { PROCESS } from '../../support/claims.ts';
import { type ExecutionChange, execution } from '../../support/executions.ts';
import { chosen } from '../../support/person-settings.ts';
import {
  output,
  pending,
  posted,
  RULES,
  refused as refusedDecision,
  rejection,
  START,
} from '../../support/requests.ts';
import { runs } from '../../support/sample.ts';
import { SAYINGS } from '../../support/say.ts';
import { hostileText } from '../ui/hostile.ts';
import { actionsOf } from '../ui/said.ts';

const CHANNEL = 'C0GENERAL1';
const CARD: Message = { kind: 'card', approvalId: '1' };
const ENDING: Message = { kind: 'ending' };
const ROOT: Message = { kind: 'root' };
const DUE = duePost(START);
const TASK: Message = { kind: 'task', taskId: '1' };

let slack: SlackWorkspace;
let thread: ThreadPort;
/** What the crew wrote, whatever is asked for. */
let text = '';

beforeAll(async () => {
  slack = await startSlackWorkspace({ rateLimits: 'off' });
  const clients = createSlackClients({ token: slack.botToken, apiUrl: slack.apiUrl, logger: slackLogger(silent) });
  thread = createThread({
    client: clients.background,
    render: {
      outputs: { get: async () => text, put: async () => output('unused') },
      findChange: async () => null,
      activity: { latest: async () => [], add: async () => {} },
      // Cards and results that show as much as a crew may have them show.
      crews: new Map([['editorial', crew({ preview: 3_000 })]]),
      rulesOf: () => RULES,
      mentionsOf: async () => [],
      membersOf: async () => null,
      membersInLists: async () => null,
      account: async () => null,
      approverNames: async () => (asWritten) => asWritten,
      identity: await fetchIdentity(clients.background),
      sayings: SAYINGS,
      namesOf: async () => (person) => person.name,
      languageOf: async () => 'en',
      settings: chosen(),
      isPublic: async () => true,
      accountInLists: async () => null,
    },
    notifier: { notify: async () => 'told' },
    log: silent,
  });
});
afterAll(() => slack.close());
beforeEach(() => {
  slack.faults.clear();
  text = '';
});

/** A run with a thread, in which a card and the result of a text are due. */
function due(change: ExecutionChange = {}): Execution {
  const run = { status: 'completed', result: output('result'), endedAt: START } as const;
  const requests = [pending({ card: DUE })];
  return execution({
    channel: CHANNEL,
    root: posted({ ts: rootTs }),
    run,
    ending: DUE,
    requests,
    ...change,
  });
}

let rootTs = '';
beforeAll(async () => {
  const posting = await post(execution({ channel: CHANNEL, root: DUE }), ROOT);
  const root = postOf(posting.execution, ROOT);
  rootTs = root?.status === 'posted' ? root.ts : '';
});

/** Posts a message as the worker does, until it is posted or due only later. */
async function post(before: Execution, message: Message): Promise<{ execution: Execution; calls: WireEntry[] }> {
  const seen = slack.calls().length;
  let each = before;
  for (let tries = 0; tries < 6; tries++) {
    each = claimMessage(each, message, PROCESS, START);
    const claim = postOf(each, message);
    if (claim?.status !== 'posting') break;
    const outcome = await thread.post(each, message, { posting: 'new', now: START });
    each = settleMessage(each, { message, attempt: claim.attempt, outcome }, START);
  }
  return { execution: each, calls: slack.calls().slice(seen) };
}

const blocksOf = ({ request }: WireEntry) => JSON.stringify(request);
const refused = (calls: WireEntry[]) => calls.filter(({ outcome }) => outcome === 'error');

/** Markdown that Slack translates into more than it takes, as far as anybody knows. */
const tooMuch = fc.oneof(
  fc.nat({ max: 60 }).map((count) => '# Heading\n\nText.\n\n'.repeat(count)),
  fc.nat({ max: 60 }).map((count) => 'Text.\n\n---\n\n'.repeat(count)),
  fc.nat({ max: 60 }).map((count) => Array.from({ length: count }, (_, i) => `${' '.repeat(2 * i)}- item`).join('\n')),
  fc
    .record({ rows: fc.integer({ min: 1, max: 200 }), cell: fc.constantFrom('x', '<!channel>', 'wide '.repeat(300)) })
    .map(({ rows, cell }) => `| a | b |\n|---|---|\n${`| ${cell} | 2 |\n`.repeat(rows)}`),
  fc.nat({ max: 80 }).map((count) => '![image](https://x.example/i.png "title")\n\n'.repeat(count)),
  fc.constantFrom('line\n'.repeat(10_000), '- line\n'.repeat(10_000), '# line\n'.repeat(10_000)),
  hostileText,
);

const hostileMarkdown = fc.array(tooMuch, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('\n\n'));

const refuse = (error: string, times: number, method = 'chat.postMessage') =>
  slack.faults.add({ method, effect: { kind: 'error', error }, times });

describe('whatever a crew writes', () => {
  it.each([
    ['its card', CARD, ['approve', 'reject', 'more']],
    ['its result', ENDING, ['run_again']],
  ])('%s appears, and nothing that Slack refused is sent again', async (_, message, buttons) => {
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(hostileMarkdown, async (markdown) => {
        text = markdown;
        const { execution: after, calls } = await post(due(), message);
        expect(postOf(after, message)?.status).toBe('posted');
        expect(new Set(calls.map(blocksOf)).size).toBe(calls.length);
        refusals += refused(calls).length;
        const shown = slack.messages().at(-1);
        if (text.trim() !== '' && shown?.blocks.some(({ type }) => type === 'markdown' || type === 'rich_text'))
          expect(actionsOf(shown).filter((id) => !['review', 'edit'].includes(id))).toEqual(buttons);
      }),
      { ...runs({ some: 20, all: 200 }), examples: [['# Heading\n\nText.\n\n'.repeat(60)]] },
    );
    expect(refusals).toBeGreaterThan(0);
  });
});

describe('content that Slack refuses', () => {
  // Documented at https://docs.slack.dev/reference/methods/chat.postMessage#errors, but for the last two.
  it.each([
    'invalid_blocks',
    'invalid_blocks_format',
    'msg_blocks_too_long',
    'msg_too_long',
    'too_many_block_elements',
    'text_contains_something_new',
  ])('is sent more plainly at once after %s', async (error) => {
    text = '# Heading';
    refuse(error, 1);
    const { execution: after, calls } = await post(due(), CARD);
    expect(calls.map(({ outcome }) => outcome)).toEqual(['error', 'ok']);
    expect(renderingOf(after, CARD)).toBe('rich-text');
  });

  it.each(['is_archived', 'channel_not_found', 'slack_connect_blocked_file_type', 'internal_error', 'rate_limited'])(
    'is not what %s says',
    async (error) => {
      text = '# Heading';
      refuse(error, 1);
      const { execution: after, calls } = await post(due(), CARD);
      expect(calls.map(({ outcome }) => outcome)).toEqual(['error']);
      expect(renderingOf(after, CARD)).toBe('full');
    },
  );

  it('is sent without the container that holds the whole text, also for the next card, where Slack refuses those', async () => {
    text = 'A sentence about tea. '.repeat(250);
    refuse('invalid_blocks', 1);
    const { execution: after, calls } = await post(due(), CARD);
    const [refusedBlocks, taken] = calls.map(blocksOf);
    expect(refusedBlocks).toContain('"type":"container"');
    expect(taken).not.toContain('"type":"container"');
    for (const shown of [refusedBlocks, taken]) expect(shown).toContain('"type":"markdown"');
    expect(renderingOf(after, CARD)).toBe('older-blocks');
    const { calls: next } = await post(due(), CARD);
    expect(next.map(({ outcome }) => outcome)).toEqual(['ok']);
    expect(next.map(blocksOf).join()).not.toContain('"type":"container"');
  });

  const POISON = 'nobody knows why';
  const task = { id: '1', name: POISON, agent: POISON, summary: POISON, output: output('x'), fingerprint: 'f' };
  const refusedResume = { kind: 'refused', code: 'other', status: 422, detail: POISON } as const;

  it.each<[string, Message, ExecutionChange, number]>([
    ['a pending card', CARD, {}, 3],
    [
      'a decided card',
      CARD,
      {
        requests: [
          refusedDecision({
            taskName: POISON,
            decision: rejection({ feedback: POISON }),
            failure: refusedResume,
            card: DUE,
          }),
        ],
      },
      2,
    ],
    [
      'a root message',
      ROOT,
      { root: DUE, inputs: { [POISON]: POISON }, run: { status: 'failed', error: POISON, endedAt: START } },
      2,
    ],
    ['a task', TASK, { tasks: [{ ...task, post: DUE }] }, 1],
    ['a result', ENDING, {}, 3],
    ['an error', ENDING, { run: { status: 'failed', error: POISON, endedAt: START } }, 2],
  ])('is left out of %s in the end, with all the buttons still there', async (_, message, change, refusals) => {
    text = POISON;
    const { calls: whole } = await post(due(change), message);
    refuse('invalid_blocks', refusals);
    const { execution: after, calls } = await post(due(change), message);
    expect(calls.map(({ outcome }) => outcome)).toEqual([...Array(refusals).fill('error'), 'ok']);
    expect(renderingOf(after, message)).toBe('bare');
    const [first, last] = [whole.at(-1), calls.at(-1)].map((each) => JSON.stringify(each?.request));
    expect(first).toContain(POISON);
    expect(last).not.toContain(POISON);
    const [before, shown] = slack.messages().slice(-2);
    expect(shown && actionsOf(shown)).toEqual(expect.arrayContaining((before && actionsOf(before)) ?? []));
  });

  it('of a card is attached as a file once the card can’t show it', async () => {
    text = 'x';
    refuse('invalid_blocks', 3);
    const { execution: after } = await post(due(), CARD);
    expect(postOf(after, { kind: 'file', approvalId: '1' })).toEqual(DUE);
  });

  it('is tried again only much later where nothing plainer is left', async () => {
    text = 'x';
    refuse('invalid_blocks', 4);
    const { execution: after, calls } = await post(due(), CARD);
    expect(new Set(calls.map(blocksOf)).size).toBe(4);
    expect(postOf(after, CARD)).toMatchObject({ status: 'due', notBefore: START + 5 * 60_000 });
  });

  it('leads to a plainer update, too, and the message stays plainer', async () => {
    text = '# Heading';
    const { execution: before } = await post(due(), CARD);
    refuse('msg_blocks_too_long', 1, 'chat.update');
    const update = async (each: Execution) => {
      const outcome = await thread.update(each, CARD, START);
      return settleRefresh(each, { message: CARD, outcome, replaced: contentOf(postOf(each, CARD)) }, START);
    };
    const refusedOnce = await update(before);
    expect(postOf(refusedOnce, CARD)).toMatchObject({ status: 'posted', notBefore: START });
    const updated = await update(refusedOnce);
    await update(updated);
    expect(renderingOf(updated, CARD)).toBe('rich-text');
    expect(
      slack
        .messages()
        .at(-1)
        ?.blocks.map(({ type }) => type),
    ).not.toContain('markdown');
  });

  // https://docs.slack.dev/reference/block-kit/blocks/plan-block
  // Last, since the thread remembers the refusal.
  describe('with the plan of a root message', () => {
    const planned = () => {
      const done = { id: '1', name: 'Read', agent: null, summary: '', output: null, fingerprint: 'f', post: posted() };
      return execution({ channel: CHANNEL, root: DUE, run: { status: 'running' }, tasks: [done] });
    };
    const showsPlan = ({ calls }: { calls: WireEntry[] }) =>
      calls.map((call) => blocksOf(call).includes('"type":"plan"'));

    it('is sent without it, but counts nothing against the plans of others if something else was refused', async () => {
      refuse('invalid_blocks', 2);
      expect(showsPlan(await post(planned(), ROOT))).toEqual([true, false, false]);
      expect(showsPlan(await post(planned(), ROOT))).toEqual([true]);
    });

    it('is sent without it, also the next one, if the plan was refused', async () => {
      refuse('invalid_blocks', 1);
      expect(showsPlan(await post(planned(), ROOT))).toEqual([true, false]);
      expect(showsPlan(await post(planned(), ROOT))).toEqual([false]);
    });
  });
});
