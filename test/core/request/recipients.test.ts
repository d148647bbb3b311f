import { describe, expect, it } from 'vitest';
import { dueActionKey, dueActionsAt } from '../../../src/core/due-actions.ts';
import { addRecipients, alertOutside, listRecipients, withAlert } from '../../../src/core/request/alerts.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { decide } from '../../../src/core/request/decide.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { duePost, type Post, type Recipients } from '../../../src/core/state/post.ts';
import { execution, request, withRequests } from '../../support/executions.ts';
import { decided, JON, MARIA, output, PERMITTED, pending, posted, RULES, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';
import { readPolicy } from '../policy/runner/read-policy.ts';

const LATER = START + 60_000;
const due = (each: Execution, now = LATER) =>
  dueActionsAt(each, now)
    .map(dueActionKey)
    .filter((key) => /recipients|direct/.test(key));
const withCard = (each: Execution): Execution =>
  withRequests(
    each,
    each.requests.map((request) => ({ ...request, card: posted() })),
  );
const to = (...people: string[]): Recipients => ({
  people: people.map((each) => ({ to: each, reason: 'policy' })),
  untold: 0,
  isComplete: true,
});
const unsure = (...people: string[]): Recipients => ({ ...to(...people), untold: 0, isComplete: false });
const asked = (rules = {}) => valueFrom(ask(execution(), request(), START, { ...RULES, ...rules }));

describe('the direct messages about a request', () => {
  it('are for the crews that are set to have them, once the card is there', () => {
    expect(
      [asked(), asked({ notify: 'mention' }), asked({ notify: 'none' })].map(withCard).flatMap((each) => due(each)),
    ).toEqual([]);
    const direct = asked({ notify: 'dm' });
    expect([due(direct), due(withCard(direct))]).toEqual([[], ['find-recipients 1']]);
  });

  it('are one to each person', () => {
    const listed = listRecipients(withCard(asked({ notify: 'dm' })), '1', to(MARIA.id, JON.id, MARIA.id), START);
    expect(due(listed)).toEqual([`post direct:1:${MARIA.id}`, `post direct:1:${JON.id}`]);
    expect(listRecipients(listed, '1', to('U_MORE'), START)).toBe(listed);
  });

  it('wait until Slack can tell who gets them', () => {
    const unknown = listRecipients(withCard(asked({ notify: 'dm' })), '1', unsure(MARIA.id), START);
    expect([due(unknown, START), due(unknown)]).toEqual([
      [`post direct:1:${MARIA.id}`],
      ['find-recipients 1', `post direct:1:${MARIA.id}`],
    ]);
  });

  it('are no longer sent once the request is decided, or nobody tracks the run', () => {
    const list = [{ to: JON.id, reason: 'policy' as const, channel: null, post: duePost(START) }];
    const change = { directMessages: { status: 'listed', list }, output: output('text') } as const;
    const open = execution({ requests: [pending(change)] });
    expect(due(open)).toHaveLength(1);
    expect(due({ ...open, requests: [decided(change)] })).toEqual([]);
    expect(due({ ...open, unfollowed: { by: JON, at: START } })).toEqual([]);
  });
});

describe('who gets a direct message', () => {
  const listed = (people: string[] = [], untold = 0) => {
    const list = people.map((each) => ({ to: each, reason: 'policy' as const, channel: null, post: posted() }));
    return execution({ requests: [pending({ directMessages: { status: 'listed', list }, untold })] });
  };
  const open = (tries: number) =>
    execution({
      requests: [pending({ directMessages: { status: 'due', tries, notBefore: START, list: [] }, untold: 2 })],
    });
  const stateOf = ({ requests: [request = pending()] }: Execution) => ({
    ...request.discussion.directMessages,
    untold: request.discussion.untold,
  });

  it.each([
    ['everybody is known', open(0), { ...to(JON.id), untold: 3 }, { status: 'listed', untold: 3 }],
    ['fewer go without than before', open(0), to(JON.id), { status: 'listed', untold: 2 }],
    ['Slack can’t tell', open(0), unsure(JON.id), { status: 'due', tries: 1, notBefore: START + 2_000, untold: 2 }],
    ['Slack can’t tell again', open(2), unsure(JON.id), { status: 'due', tries: 3, notBefore: START + 8_000 }],
    ['Slack can’t tell for the 19th time', open(18), unsure(JON.id), { status: 'due', tries: 19 }],
    ['Slack can’t tell for the last time', open(19), unsure(JON.id), { status: 'listed' }],
  ])('is found out when %s', (_, before, recipients, wanted) => {
    expect(stateOf(listRecipients(before, '1', recipients, START))).toMatchObject(wanted);
  });

  it.each([
    ['one more, when all are known', listed(), to(JON.id), { status: 'listed', untold: 0 }, [JON.id]],
    ['nobody twice', listed([JON.id]), to(JON.id, MARIA.id), { status: 'listed' }, [JON.id, MARIA.id]],
    ['those who go without', listed([JON.id], 1), { ...to(JON.id), untold: 4 }, { untold: 4 }, [JON.id]],
    [
      'those of whom Slack can’t tell',
      listed(),
      unsure(JON.id),
      { status: 'due', tries: 0, notBefore: START + 2_000 },
      [JON.id],
    ],
    ['somebody while others are looked up', open(3), unsure(JON.id), { status: 'due', tries: 3, untold: 2 }, [JON.id]],
  ])('is added: %s', (_, before, recipients, wanted, people) => {
    const after = stateOf(addRecipients(before, '1', recipients, START));
    expect(after).toMatchObject(wanted);
    expect(after.list.map((each) => each.to)).toEqual(people);
  });

  it('is nobody for a request that is not there', () => {
    expect(addRecipients(listed(), '7', to(JON.id), START).requests).toEqual(listed().requests);
    expect(listRecipients(open(0), '7', to(JON.id), START)).toEqual(open(0));
  });
});

describe('an alert', () => {
  const alert = (kind: 'reminder' | 'ask' | 'undecidable' | 'stage', post: Post, id = '1') => {
    return { id, kind, by: null, mentions: [], post };
  };
  const directly = (post: Post) => ({
    status: 'listed' as const,
    list: [{ to: JON.id, reason: 'policy' as const, channel: null, post }],
  });
  const about = (approvalId: string, alertId: string) => ({ approvalId, alertId });

  it.each([
    ['who has the card', 'reminder', posted(), about('1', '1'), [JON.id]],
    ['who has no card yet', 'reminder', duePost(START), about('1', '1'), []],
    ['who can only be told so', 'undecidable', posted(), about('1', '1'), [JON.id, MARIA.id]],
    ['of another request', 'reminder', posted(), about('7', '1'), []],
    ['of another alert', 'reminder', posted(), about('1', '7'), []],
  ] as const)('is told to people outside of the channel %s', (_, kind, post, which, people) => {
    const before = execution({
      requests: [pending({ directMessages: directly(post), alerts: [alert(kind, posted())] })],
    });
    const { notices } = alertOutside(before, which, [JON.id, MARIA.id], START);
    expect(notices.map(({ to: person }) => person)).toEqual(people);
  });

  it.each([
    ['takes the place of a reminder that is due', [alert('reminder', duePost(START))], 'reminder', ['reminder 2']],
    ['takes the place of a stage that is due', [alert('stage', duePost(START))], 'stage', ['stage 2']],
    ['stands beside one of another kind', [alert('stage', duePost(START))], 'reminder', ['stage 1', 'reminder 2']],
    ['stands beside a question that is due', [alert('ask', duePost(START))], 'ask', ['ask 1', 'ask 2']],
    [
      'leaves the last one, so that numbers stay',
      [alert('reminder', posted())],
      'reminder',
      ['reminder 1', 'reminder 2'],
    ],
    [
      'forgets those before the last that are posted or gone',
      [
        alert('ask', posted()),
        alert('ask', { status: 'gone', ts: null }, '2'),
        alert('ask', duePost(START), '3'),
        alert('ask', posted(), '4'),
      ],
      'ask',
      ['ask 3', 'ask 4', 'ask 5'],
    ],
  ] as const)('%s', (_, alerts, kind, wanted) => {
    const before = execution({ requests: [pending({ alerts: [...alerts] })] });
    const [request = pending()] = before.requests;
    const { request: after } = withAlert(before, request, { kind, by: null, mentions: [] }, START);
    expect(after.discussion.alerts.map((each) => `${each.kind} ${each.id}`)).toEqual(wanted);
  });
});

it.each([
  ['mention', ['@heads'], 'listed'],
  ['none', [], 'listed'],
  ['dm', ['@heads'], 'due'],
] as const)('a stage that begins tells its people as the crew is set to: %s', (notify, mentions, directMessages) => {
  const policy = readPolicy('stages: [{ name: A }, { name: B, approvers: [@heads] }]');
  const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
  const before = execution({ requests: [pending({ directMessages: { status: 'listed', list: [] } })] });
  const [after] = valueFrom(decide(before, '1', { choice, by: JON, ...PERMITTED, policy, notify }, START)).requests;
  expect(after?.discussion.directMessages).toMatchObject({ status: directMessages, list: [] });
  expect(after?.discussion.alerts).toMatchObject([{ kind: 'stage', by: null, mentions }]);
});
