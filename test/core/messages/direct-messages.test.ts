import { describe, expect, it } from 'vitest';
import { dueActionKey, dueActionsAt } from '../../../src/core/due-actions.ts';
import { settleMessage } from '../../../src/core/messages/delivery.ts';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import { addRecipients } from '../../../src/core/request/alerts.ts';
import { directMessageOf, type Execution } from '../../../src/core/state/execution.ts';
import { postOf } from '../../../src/core/state/message.ts';
import { claimPosting, duePost, type Post } from '../../../src/core/state/post.ts';
import { execution } from '../../support/executions.ts';
import { decided, decision, delivered, JON, MARIA, pending, posted, START } from '../../support/requests.ts';

const CARD = { kind: 'card', approvalId: '1' } as const;
const TO_JON = { kind: 'direct-message', approvalId: '1', to: JON.id } as const;
const BY_MARIA = { decision: decision({ by: MARIA }) };
const BY_JON = { decision: decision({ by: JON }) };

function sent(post: Post = posted()) {
  const list = [{ to: JON.id, reason: 'setting' as const, channel: 'D1', post }];
  return { directMessages: { status: 'listed' as const, list } };
}
const wanted = (...requests: Execution['requests']) => wantedFor(execution({ requests }), TO_JON);
const due = (each: Execution) =>
  dueActionsAt(each, START + 60_000)
    .map(dueActionKey)
    .filter((key) => key.includes('direct'));

describe('a direct message', () => {
  it('is out of date when its card is, as long as nobody has decided', () => {
    const vote = { by: MARIA, at: START, feedback: null };
    const all = [
      wanted(pending(sent())),
      wanted(pending({ ...sent(), votes: [vote] })),
      wanted(pending({ ...sent(), takenBack: 1 })),
    ];
    expect(new Set(all).size).toBe(3);
  });

  it('doesn’t follow how the crew is told what others have decided, but what its person has', () => {
    const follows = (by: typeof BY_MARIA) =>
      wanted(decided({ ...sent(), ...by })) !== wanted(delivered({ ...sent(), ...by }));
    expect([follows(BY_MARIA), follows(BY_JON)]).toEqual([false, true]);
  });

  it('isn’t woken by the end of what is stored, as the card is', () => {
    const before = execution({ requests: [delivered({ ...sent(), ...BY_JON })] });
    const after = { ...before, expiry: { at: START, isTold: true } };
    expect(wantedFor(after, TO_JON)).toBe(wantedFor(before, TO_JON));
    expect(wantedFor(after, CARD)).not.toBe(wantedFor(before, CARD));
  });

  it('says what became of the request only where it was posted', () => {
    const decidedWith = (post: Post) => execution({ requests: [decided({ ...sent(post), ...BY_MARIA })] });
    expect(due(decidedWith(posted()))).toEqual([`update direct:1:${JON.id}`]);
    expect(due(decidedWith(duePost(START)))).toEqual([]);
    expect(due({ ...decidedWith(posted()), unfollowed: { by: MARIA, at: START } })).toHaveLength(1);
  });

  it('remembers in which conversation it is', () => {
    const post = claimPosting(duePost(START), 'process-1', START);
    const before = execution({ requests: [pending(sent(post))] });
    const outcome = { kind: 'posted', ts: '7.1', shown: '', channel: 'D7' } as const;
    const after = settleMessage(before, { message: TO_JON, attempt: 1, outcome }, START);
    expect(directMessageOf(after, TO_JON)).toMatchObject({ channel: 'D7' });
    expect(postOf(after, TO_JON)).toMatchObject({ status: 'posted', ts: '7.1' });
  });

  it('is added for another person once, and to an open request only', () => {
    const people = [JON, MARIA, MARIA].map(({ id: to }) => ({ to, reason: 'handed-over' as const }));
    const add = (each: Execution) => addRecipients(each, '1', { people, untold: 0, isComplete: true }, START);
    const open = add(execution({ requests: [pending(sent())] }));
    expect(open.requests[0]?.discussion.directMessages.list.map(({ to, reason }) => [to, reason])).toEqual([
      [JON.id, 'setting'],
      [MARIA.id, 'handed-over'],
    ]);
    expect(add(open)).toBe(open);
    const closed = execution({ requests: [decided(sent())] });
    expect(add(closed)).toBe(closed);
  });
});
