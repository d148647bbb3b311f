import { expect, it } from 'vitest';
import { claimPosting, duePost, type Post, settlePosting } from '../../../src/core/messages/post.ts';

const HOUR_MS = 60 * 60_000;

it('what lasts until a person changes something in Slack is tried after a minute, and at last every four hours', () => {
  const pauses: number[] = [];
  let post: Post = duePost(0);
  for (let now = 0; pauses.length < 12; ) {
    const claimed = claimPosting(post, 'process', now);
    post = settlePosting(claimed, claimed.status === 'posting' ? claimed.attempt : 0, { kind: 'refused' }, now, 0);
    const next: number = post.status === 'due' ? post.notBefore : now;
    pauses.push(next - now);
    now = next;
  }
  expect(pauses.slice(0, 3)).toEqual([60_000, 120_000, 240_000]);
  expect(pauses.slice(-2)).toEqual([4 * HOUR_MS, 4 * HOUR_MS]);
});
