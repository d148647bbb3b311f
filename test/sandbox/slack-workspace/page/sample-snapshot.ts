import type {
  Block,
  Channel,
  Member,
  Message,
  OpenView,
  Snapshot,
} from '../../../../src/sandbox/slack-workspace/people-api.ts';
import type { WireEntry } from '../../../../src/sandbox/slack-workspace/wire-entry.ts';

const START_S = Math.floor(Date.now() / 1000) - 1800;

/** A message's `ts`, this many seconds after the first. */
export function tsAt(seconds: number): string {
  return `${START_S + seconds}.000100`;
}

export function member(id: string, realName: string, more: Partial<Member> = {}): Member {
  const name = realName.split(' ')[0]?.toLowerCase() ?? '';
  return { id, teamId: 'T1', name, realName, title: '', timeZone: 'UTC', kind: 'member', color: '#2f7d5b', ...more };
}

export function channel(id: string, name: string, more: Partial<Channel> = {}): Channel {
  const is = { isArchived: false, isShared: false, isMember: true, isReadOnly: false };
  const counts = { unread: 0, mentions: 0, lastReadTs: tsAt(-60) };
  return { id, name, kind: 'public', topic: '', memberIds: ['UMARIA', 'UJON', 'UBOT'], ...is, ...counts, ...more };
}

export function message(seconds: number, more: Partial<Message> = {}): Message {
  const is = { ephemeral: false, broadcast: false, tombstone: false, notice: false };
  const none = { text: '', blocks: [], files: [], reactions: [], notifies: [] };
  return { channel: 'C1', ts: tsAt(seconds), userId: 'UMARIA', ...is, ...none, ...more };
}

export function openView(more: Partial<OpenView> = {}): OpenView {
  const empty = { blocks: [], inputs: {}, errors: {}, isSubmitting: false };
  return { id: 'V1', hash: '1', title: 'A form', closeLabel: 'Cancel', ...empty, ...more };
}

export function wireEntry(seq: number, more: Partial<WireEntry> = {}): WireEntry {
  return {
    seq,
    at: Date.now(),
    direction: 'from-app',
    transport: 'http',
    name: 'chat.postMessage',
    request: { channel: 'C1', text: 'Hello' },
    response: { ok: true },
    status: 200,
    tookMs: 4,
    outcome: 'ok',
    broken: [],
    ...more,
  };
}

/** A small workspace: two people, the app, two channels and a direct message. */
export function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  const maria = member('UMARIA', 'Maria Alvarez', { title: 'Release manager', color: '#3566c4' });
  return {
    revision: 1,
    team: { id: 'T1', name: 'Sandbox', domain: 'sandbox' },
    me: maria,
    locale: 'en-US',
    members: [
      maria,
      member('UJON', 'Jon Bell', { color: '#b3432b' }),
      member('UGINA', 'Gina Rossi', { kind: 'guest', color: '#8a4fa3' }),
      member('UBOT', 'Signoff', { kind: 'app' }),
    ],
    groups: [{ id: 'S1', handle: 'release-managers', name: 'Release managers', memberIds: ['UMARIA'] }],
    app: {
      appId: 'A1',
      botId: 'B1',
      botUserId: 'UBOT',
      name: 'Signoff',
      commands: [
        { command: '/kickoff', description: 'Start a crew', usageHint: '[crew] [input=value …]' },
        { command: '/kickoff-admin', description: 'Look after crews', usageHint: '' },
      ],
      shortcuts: [
        { type: 'message', callbackId: 'explain', name: 'Explain this card', description: 'Says who may decide' },
      ],
      hasHomeTab: true,
      delivery: 'http',
      reachable: true,
    },
    channels: [
      channel('C1', 'releases', { topic: 'What we ship' }),
      channel('C2', 'incidents', { kind: 'private', unread: 3, mentions: 1 }),
      channel('C3', 'partners', { isShared: true, unread: 1 }),
      channel('C4', 'random', { isMember: false }),
      channel('D1', 'Signoff', { kind: 'im' }),
    ],
    messages: {},
    modals: [],
    statuses: [],
    workflows: [],
    workflowRuns: [],
    unreadDirect: {},
    ...more,
  };
}

export function section(blockId: string, text: string): Block {
  return { type: 'section', block_id: blockId, text: { type: 'mrkdwn', text, verbatim: true } };
}

export function actions(blockId: string, ...buttons: { id: string; text: string; style?: string }[]): Block {
  const elements = buttons.map(({ id, text, style }) => ({
    type: 'button',
    action_id: id,
    text: { type: 'plain_text', text },
    ...(style !== undefined && { style }),
  }));
  return { type: 'actions', block_id: blockId, elements };
}

/** A form with one field of each kind that apps use most. */
export function formBlocks(): Block[] {
  const label = (text: string) => ({ type: 'plain_text', text });
  const options = ['Low', 'High'].map((text) => ({ text: label(text), value: text.toLowerCase() }));
  const input = (id: string, text: string, element: Block['element'], more = {}): Block => ({
    type: 'input',
    block_id: id,
    label: label(text),
    element: element ?? {},
    optional: false,
    ...more,
  });
  return [
    section('intro', 'The whole text *joins the crew’s context*: keep it short.'),
    input('topic', 'Topic', { type: 'plain_text_input', action_id: 'value', placeholder: label('What is it about?') }),
    input(
      'feedback',
      'Feedback',
      { type: 'plain_text_input', action_id: 'value', multiline: true },
      { hint: label('The crew reads all of it.') },
    ),
    input(
      'count',
      'Number of items',
      { type: 'number_input', action_id: 'value', is_decimal_allowed: false },
      { optional: true },
    ),
    input('severity', 'Severity', { type: 'static_select', action_id: 'value', options }),
    input('due', 'Due', { type: 'datepicker', action_id: 'value' }, { optional: true }),
    input('tone', 'Tone', { type: 'radio_buttons', action_id: 'value', options }),
    input('extras', 'Extras', { type: 'checkboxes', action_id: 'value', options }, { optional: true }),
    input('reviewers', 'Reviewers', { type: 'multi_users_select', action_id: 'value' }, { optional: true }),
  ];
}

const DRAFT = `# Release notes 2.4

Everything since **v2.3**, grouped by area. See [the plan](https://example.com/plan).

## Highlights
- Approvals show *who* decided, and when
- \`signoff doctor\` names what is wrong

| Area | Commits | Author |
|:-----|--------:|--------|
| slack | 12 | Maria |
| redis | 7 | Jon |

\`\`\`ts
const decided = decide(approval, { verdict: 'approve', by: 'U1' });
\`\`\`

> Not a ping: &lt;!channel&gt;. A live one: <@UJON>.
`;

/** A channel in full swing: a live status with a thread, an approval card, an ephemeral answer. */
export function busyMessages(): Message[] {
  const rootTs = tsAt(60);
  const status: Block[] = [
    section(
      'status',
      `:large_green_circle: *release-notes* is running · started by <@UMARIA> <!date^${START_S}^{date_short_pretty} at {time}|then>`,
    ),
    {
      type: 'context',
      block_id: 'progress',
      elements: [{ type: 'mrkdwn', text: '*2 of 3* tasks done · Writer: _grouping 312 commits_' }],
    },
    actions(
      'root-actions',
      { id: 'activity', text: 'Show activity' },
      { id: 'stop', text: 'Stop tracking…', style: 'danger' },
    ),
  ];
  return [
    message(0, { text: 'Morning! Shall we ship 2.4 today? :rocket:', userId: 'UJON' }),
    message(20, {
      text: 'I start the notes now, <@UJON>. `git log` has *312* commits, see <https://example.com/log|the log>.',
    }),
    message(60, {
      userId: 'UBOT',
      text: 'release-notes is running',
      blocks: status,
      threadTs: rootTs,
      thread: { replyCount: 2, replyUserIds: ['UBOT', 'UJON'], latestReplyTs: tsAt(300) },
    }),
    message(120, {
      userId: 'UBOT',
      threadTs: rootTs,
      text: 'Task done: collect',
      blocks: [section('done', '✓ *collect* by Researcher — 312 commits read.')],
    }),
    message(300, { ...card(rootTs), threadTs: rootTs, broadcast: true }),
    message(330, { userId: 'UBOT', text: 'You can decide this.', ephemeral: true }),
  ];
}

function card(rootTs: string): Partial<Message> {
  return {
    userId: 'UBOT',
    text: `Approval wanted: draft, round 1 (${rootTs})`,
    notifies: ['UMARIA'],
    blocks: [
      { type: 'header', block_id: 'title', text: { type: 'plain_text', text: 'Is this draft good?' } },
      {
        type: 'context',
        block_id: 'about',
        elements: [{ type: 'mrkdwn', text: 'Task *draft* · round 1 · <!subteam^S1>' }],
      },
      { type: 'markdown', block_id: 'output', text: DRAFT },
      { type: 'divider', block_id: 'line' },
      actions(
        'card-actions',
        { id: 'approve', text: 'Approve', style: 'primary' },
        { id: 'note', text: 'Approve with note…' },
        { id: 'reject', text: 'Reject…', style: 'danger' },
      ),
    ],
    files: [
      {
        id: 'F1',
        name: 'draft.md',
        title: 'The whole draft',
        mimetype: 'text/markdown',
        sizeBytes: 48_211,
        url: '/api/files/F1?as=UMARIA',
        preview: '# Release notes 2.4\n…',
      },
    ],
  };
}
