import { expect, it } from 'vitest';
import { hasSamePosts } from '../../../src/core/state/execution.ts';
import { type Message, messagesOf, postOf, withPost } from '../../../src/core/state/message.ts';
import { duePost } from '../../../src/core/state/post.ts';
import { MARIA, pending, posted, START } from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';

const post = posted();

/** A run that has every kind of message. */
const RUN = execution({
  approvals: [
    pending({
      ...{ id: '1', file: post, followUp: post, copies: [{ ts: '2.2', post }] },
      directMessages: { status: 'listed', list: [{ to: MARIA.id, reason: 'policy', channel: 'D1', post }] },
    }),
    pending({ id: '2', alerts: [{ id: '1', kind: 'ask', by: MARIA, mentions: [], post }] }),
  ],
  tasks: [{ id: '1', name: 'draft', agent: null, summary: '', output: null, fingerprint: '', post }],
  notices: [{ id: '1', to: MARIA.id, about: { kind: 'ended' }, post }],
  followUp: post,
  ending: post,
});

const WITH_POSTS = messagesOf(RUN).filter((each) => postOf(RUN, each) !== null);

it('A change of anything but posts leaves all posts the same', () => {
  const [first, ...others] = RUN.approvals;
  if (!first) throw new Error('It has two.');
  const changed = { ...RUN, executionId: 'another', approvals: [{ ...first, heading: 'Another' }, ...others] };
  expect(hasSamePosts(RUN, changed)).toBe(true);
});

it('A change of a post is noticed, whichever kind of message it is', () => {
  const kinds = new Set(WITH_POSTS.map(({ kind }) => kind));
  const all: Message['kind'][] = [
    'alert',
    'card',
    'copy',
    'direct-message',
    'ending',
    'file',
    'follow-up',
    'notice',
    'root',
    'task',
  ];
  expect([...kinds].toSorted()).toEqual(all.toSorted());
  const unnoticed = WITH_POSTS.filter((message) =>
    hasSamePosts(
      RUN,
      withPost(RUN, message, () => ({ ...duePost(START), tries: 1 })),
    ),
  );
  expect(unnoticed).toEqual([]);
});

it('A request more or less is noticed', () => {
  const fewer = { ...RUN, approvals: RUN.approvals.slice(1) };
  expect([hasSamePosts(RUN, fewer), hasSamePosts(fewer, RUN)]).toEqual([false, false]);
});
