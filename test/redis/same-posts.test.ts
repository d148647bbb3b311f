import { expect, it } from 'vitest';
import { directlyTo, type Message, messagesOf, postOf, withPost } from '../../src/core/state/message.ts';
import { duePost } from '../../src/core/state/post.ts';
import { hasSamePosts } from '../../src/redis/indexes.ts';
import { MARIA, pending, posted, START } from '../support/approvals.ts';
import { execution } from '../support/executions.ts';

const post = posted();

/** A run that has every kind of message. */
const RUN = execution({
  approvals: [
    pending({ id: '1', file: post, followUp: post, copies: [{ ts: '2.2', post }] }),
    pending({ id: '2', alerts: [{ id: '1', kind: 'ask', by: MARIA, mentions: [], post }] }),
  ],
  tasks: [{ id: '1', name: 'draft', agent: null, summary: '', output: null, fingerprint: '', post }],
  followUp: post,
  ending: post,
});

const IN_CHANNEL = messagesOf(RUN).filter((each) => directlyTo(RUN, each) === null && postOf(RUN, each) !== null);

it('A change of anything but posts leaves the posts of the channel the same', () => {
  const [first, ...others] = RUN.approvals;
  if (!first) throw new Error('It has two.');
  const changed = { ...RUN, executionId: 'another', approvals: [{ ...first, heading: 'Another' }, ...others] };
  expect(hasSamePosts(RUN, changed)).toBe(true);
});

it('A change of a post in the channel is noticed, whichever kind of message it is', () => {
  const kinds = new Set(IN_CHANNEL.map(({ kind }) => kind));
  const all: Message['kind'][] = ['root', 'card', 'copy', 'follow-up', 'alert', 'file', 'task', 'ending'];
  expect([...kinds].toSorted()).toEqual(all.toSorted());
  const unnoticed = IN_CHANNEL.filter((message) =>
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
