import { expect, it } from 'vitest';
import { withRequest } from '../../../src/core/state/execution.ts';
import {
  type Message,
  messageKey,
  messagesOf,
  parseMessageKey,
  postOf,
  withPost,
} from '../../../src/core/state/message.ts';
import { duePost } from '../../../src/core/state/post.ts';
import { execution } from '../../support/executions.ts';
import { MARIA, pending, posted, START } from '../../support/requests.ts';

const post = posted();

/** A run that has every kind of message. */
const RUN = execution({
  requests: [
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

it('A change of anything but posts leaves the map of messages the same object', () => {
  const [first] = RUN.requests;
  if (!first) throw new Error('It has two.');
  const changed = withRequest(
    { ...RUN, executionId: 'another' },
    { ...first, question: { ...first.question, heading: 'Another' } },
  );
  expect(changed.messages).toBe(RUN.messages);
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
  const unnoticed = WITH_POSTS.filter(
    (message) => withPost(RUN, message, () => ({ ...duePost(START), tries: 1 })).messages === RUN.messages,
  );
  expect(unnoticed).toEqual([]);
});

it('A post that stays as it is leaves the execution the same object', () => {
  expect(WITH_POSTS.filter((message) => withPost(RUN, message, (each) => each) !== RUN)).toEqual([]);
});

it('Every message is found again by its key, and no other key is one', () => {
  for (const message of WITH_POSTS) expect(parseMessageKey(messageKey(message))).toEqual(message);
  for (const key of ['', 'card', 'root:1', 'constructor', 'alert:1', 'copy:1:2.2:3', 'message:1'])
    expect([key, parseMessageKey(key)]).toEqual([key, null]);
});
