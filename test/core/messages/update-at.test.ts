import { describe, expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { postpone } from '../../../src/core/messages/delivery.ts';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { Message } from '../../../src/core/state/message.ts';
import { duePost } from '../../../src/core/state/post.ts';
import { changed, execution } from '../../support/executions.ts';
import {
  decided,
  decision,
  delivered,
  MARIA,
  pending,
  posted,
  refused,
  START,
  sending,
} from '../../support/requests.ts';

const CARD: Message = { kind: 'card', approvalId: '1' };
const ROOT: Message = { kind: 'root' };

/** How long after START the update of this message is due; null if none is. */
function delayOf(each: Execution, { kind }: Message): number | null {
  const isDue = (now: number) =>
    dueActionsAt(each, now).some((action) => action.kind === 'update' && action.message.kind === kind);
  const delays = [0, 400, 1_000, 2_000, 3_000, 5_000, 9_000, 10_000];
  return delays.find((delay) => isDue(START + delay) && (delay === 0 || !isDue(START + delay - 1))) ?? null;
}

/** An execution whose root shows what `before` says. */
const shownAs = (before: Execution, each: Execution): Execution =>
  changed(each, { root: posted({ ts: '99.9', shown: wantedFor(before, ROOT) }) });
const running = execution();
const withProgress = { ...running, progress: { completed: 1, total: 5, current: null } };

describe('the update of a card', () => {
  const decide = decision({ at: START });

  it('waits a moment for the crew’s first answer to a decision', () => {
    for (const request of [decided({ decision: decide }), sending({ decision: decide })])
      expect(delayOf(execution({ requests: [request] }), CARD)).toBe(400);
  });

  it('waits for it, too, where the decision could be undone for a while', () => {
    const undoable = { decision: decision({ at: START - 10_000 }) };
    expect(delayOf(execution({ requests: [decided({ ...undoable, undoUntil: START })] }), CARD)).toBe(0);
    expect(delayOf(execution({ requests: [sending(undoable)] }), CARD)).toBe(400);
    expect(delayOf(execution({ requests: [sending({ ...undoable, claim: null })] }), CARD)).toBe(0);
  });

  it('is due at once when the answer has come, whatever it is, and for every later try', () => {
    for (const request of [delivered(), refused(), decided({ tries: 1 }), sending({ tries: 1 })])
      expect(delayOf(execution({ requests: [request] }), CARD)).toBe(0);
  });
});

describe('the update of the root', () => {
  it('waits where it has only progress to tell', () => {
    expect(delayOf(shownAs(running, withProgress), ROOT)).toBe(9_000);
  });

  it('is due at once for everything else', () => {
    const states: Execution[] = [
      execution({ run: { status: 'completed', result: null, endedAt: START } }),
      execution({ run: { status: 'lost', lostAt: START } }),
      execution({ poll: { ...running.poll, trouble: 'unauthorized' } }),
      execution({ requests: [refused()] }),
      execution({ unfollowed: { by: MARIA, at: START } }),
    ];
    for (const state of states) expect(delayOf(shownAs(running, state), ROOT)).toBe(0);
    const asking = execution({ requests: [pending()] });
    expect(delayOf(shownAs(asking, execution({ requests: [delivered()] })), ROOT)).toBe(0);
  });

  it('waits for a card to link to, and then for a quick decision', () => {
    const asking = (card: Parameters<typeof pending>[0]) => shownAs(running, execution({ requests: [pending(card)] }));
    expect(delayOf(asking({ card: duePost(START) }), ROOT)).toBe(3_000);
    expect(delayOf(asking({ card: posted({ notBefore: START }) }), ROOT)).toBe(2_000);
    expect(delayOf(asking({ askedAt: START - 2_000, card: posted({ notBefore: START }) }), ROOT)).toBe(1_000);
  });

  it('is progress like any other where the decision has reached the crew by then', () => {
    expect(delayOf(shownAs(running, execution({ requests: [decided()] })), ROOT)).toBe(2_000);
    const told = execution({ requests: [delivered()] });
    expect(delayOf(shownAs({ ...running, progress: { ...running.progress, completed: 1 } }, told), ROOT)).toBe(9_000);
  });

  it('is tried again when Slack allows it after a failure', () => {
    const failed = changed(withProgress, {
      root: posted({ shown: wantedFor(running, ROOT), tries: 1, notBefore: START + 1_000 }),
    });
    expect(delayOf(failed, ROOT)).toBe(1_000);
  });

  it('that only tells progress doesn’t put off what else changes when it is put off', () => {
    const late = changed(withProgress, {
      root: posted({ shown: wantedFor(running, ROOT), notBefore: START - 9_000 }),
    });
    expect(delayOf(late, ROOT)).toBe(0);
    const ended = (each: Execution) => delayOf({ ...each, run: { status: 'lost', lostAt: START } }, ROOT);
    const soon = postpone(late, ROOT, 5_000, START);
    expect([delayOf(soon, ROOT), ended(soon)]).toEqual([5_000, 0]);
    // So many runs share the channel: it asks for its turn again before that.
    const muchLater = postpone(late, ROOT, 100_000, START);
    expect([delayOf(muchLater, ROOT), ended(muchLater)]).toEqual([10_000, 1_000]);
  });
});
