import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../../src/core/claimed-calls.ts';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { recordCompletion, recordStep, recordTask, tasksDone } from '../../../src/core/execution/run.ts';
import { stopFollowing } from '../../../src/core/execution/tracking.ts';
import {
  answerStarter,
  claimMessage,
  isDuplicate,
  learnCopy,
  learnDeleted,
  learnPosted,
  postpone,
  settleMessage,
  settleRefresh,
  settleStarterNotice,
} from '../../../src/core/messages/delivery.ts';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { CLAIM_MS, claimedBy } from '../../../src/core/state/claim.ts';
import type { Execution, Run } from '../../../src/core/state/execution.ts';
import { type Message, messagesOf, postOf, tsOf, withPosts } from '../../../src/core/state/message.ts';
import {
  claimPosting,
  contentOf,
  duePost,
  type Post,
  type PostOutcome,
  settlePosting,
} from '../../../src/core/state/post.ts';
import { checkAt, PROCESS } from '../../support/claims.ts';
import { changed, execution, request, starting, withItsPosts } from '../../support/executions.ts';
import {
  decided,
  delivered,
  JON,
  output,
  pending,
  permittedTo,
  posted,
  RULES,
  START,
  superseded,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const HOUR_MS = 60 * 60_000;
const CARD: Message = { kind: 'card', approvalId: '1' };
const ROOT: Message = { kind: 'root' };
const NOT_STARTED: Run = {
  status: 'not-started',
  refusal: { code: 'quota', detail: '', missing: [] },
  endedAt: START,
};
const DUE = duePost(START);
const UNSURE: Post = { status: 'unsure', tries: 1, notBefore: START };
const POSTING: Extract<Post, { status: 'posting' }> = {
  status: 'posting',
  tries: 1,
  attempt: 1,
  ...claimedBy(PROCESS, START),
  mayExist: false,
  told: null,
};

const withCard = (card: Post, change: Parameters<typeof pending>[0] = {}) =>
  execution({ requests: [pending({ ...change, card })] });

const POSTED: PostOutcome = { kind: 'posted', ts: '100.1', shown: 'model' };

const settle = (each: Execution, outcome: PostOutcome, { attempt = 1, message = CARD } = {}) =>
  settleMessage(each, { message, attempt, outcome }, START);

const cardOf = (each: Execution) => postOf(each, CARD);

const actions = (each: Execution, now = START) =>
  dueActionsAt(each, now).map((action) =>
    'message' in action ? `${action.kind} ${action.message.kind}` : action.kind,
  );

/** Root and card show what they should. */
function shown(each: Execution): Execution {
  const root = posted({ ts: '99.9', shown: wantedFor(each, ROOT) });
  const cards = messagesOf(each).filter(({ kind }) => kind === 'card');
  return withPosts(changed(each, { root }), cards, (post, card) =>
    post.status === 'posted' ? posted({ shown: wantedFor(each, card) }) : post,
  );
}

describe('posting a message', () => {
  it('is claimed with an attempt number before it is done', () => {
    expect(cardOf(claimMessage(withCard(DUE), CARD, PROCESS, START))).toEqual(POSTING);
  });

  it('is claimed by one worker only', () => {
    const claimed = claimMessage(withCard(DUE), CARD, PROCESS, START);
    expect(claimMessage(claimed, CARD, PROCESS, START)).toBe(claimed);
  });

  it('is not claimed before its time', () => {
    const later = withCard(duePost(START + 1));
    expect(claimMessage(later, CARD, PROCESS, START)).toBe(later);
  });

  it('is in doubt when its worker never came back', () => {
    const before = withCard(POSTING);
    expect(cardOf(checkClaims(before, checkAt(START + CLAIM_MS - 1)))).toMatchObject({ status: 'posting' });
    expect(cardOf(checkClaims(before, checkAt(START + CLAIM_MS)))).toMatchObject({ status: 'unsure' });
  });

  it('is in doubt when its outcome is unknown', () => {
    expect(cardOf(settle(withCard(POSTING), { kind: 'unknown' }))).toMatchObject({ status: 'unsure' });
  });

  it('is due again at the time that Slack said', () => {
    const later = settle(withCard(POSTING), { kind: 'later', waitMs: 7_000 });
    expect(cardOf(later)).toMatchObject({ status: 'due', notBefore: START + 7_000 });
  });

  it('waits longer with each try when Slack says no time', () => {
    const wait = (tries: number) => {
      const later = settle(withCard({ ...POSTING, tries }), { kind: 'later', waitMs: null });
      const card = cardOf(later);
      return card?.status === 'due' ? card.notBefore - START : null;
    };
    expect([wait(1), wait(2), wait(3), wait(20)]).toEqual([2_000, 4_000, 8_000, 300_000]);
  });

  it('stays in doubt when it was put off', () => {
    const again = claimMessage(withCard(UNSURE), CARD, PROCESS, START);
    expect(cardOf(again)).toMatchObject({ status: 'posting', mayExist: true });
    expect(cardOf(settle(again, { kind: 'later', waitMs: null }, { attempt: 2 }))).toMatchObject({ status: 'unsure' });
  });

  it('is not repeated before Slack could have told of it', () => {
    const due = cardOf;
    expect(due(settle(withCard(POSTING), { kind: 'unknown' }))).toMatchObject({ notBefore: START + 5_000 });
    const dead = checkClaims(withCard(POSTING), checkAt(START + CLAIM_MS));
    expect(due(dead)).toMatchObject({ notBefore: START + CLAIM_MS + 5_000 });
  });

  it('takes a late success of an attempt that was given up', () => {
    for (const card of [DUE, UNSURE, { ...POSTING, attempt: 2 }])
      expect(cardOf(settle(withCard(card), POSTED))).toMatchObject({ status: 'posted', ts: '100.1' });
  });

  it('ignores a late failure of an attempt that was given up', () => {
    const second = withCard({ ...POSTING, attempt: 2 });
    for (const kind of ['unknown', 'gone'] as const) expect(settle(second, { kind })).toBe(second);
  });

  it('keeps a second card that a late answer shows to exist as a copy', () => {
    const twice = settle(withCard(posted({ ts: '100.2' })), POSTED);
    expect(withItsPosts(twice)).toMatchObject({ card: { ts: '100.2' }, copies: [{ ts: '100.1' }] });
    expect(settle(twice, POSTED)).toBe(twice);
    expect(actions(twice)).toContain('update copy');
  });
});

describe('updating a message', () => {
  const refresh = (
    each: Execution,
    outcome: PostOutcome,
    message: Message = CARD,
    replaced = contentOf(postOf(each, message)),
  ) => settleRefresh(each, { message, outcome, replaced }, START);

  it('is due when the state differs from what is shown', () => {
    expect(actions(shown(withCard(posted())))).toEqual([]);
    expect(actions(shown(withCard(posted({ shown: 'old' }))))).toEqual([]);
    const told = changed(shown(withCard(posted())), { requests: [delivered({ card: posted({ shown: 'old' }) })] });
    expect(actions(told)).toContain('update card');
  });

  it('makes one update of many changes: the root rests for a moment after each, a card never does', () => {
    expect(postOf(refresh(execution(), POSTED, ROOT), ROOT)).toMatchObject({ notBefore: START + 1_000 });
    expect(cardOf(refresh(withCard(posted()), POSTED))).toMatchObject({ notBefore: START });
  });

  it('is tried again after a failure, known or unknown', () => {
    for (const outcome of [{ kind: 'unknown' }, { kind: 'later', waitMs: null }] as const)
      expect(cardOf(refresh(withCard(posted()), outcome))).toMatchObject({
        status: 'posted',
        tries: 1,
        notBefore: START + 1_000,
      });
  });

  it('is repeated after two that overlapped with different contents, since Slack may have carried out either last', () => {
    const before = withCard(posted({ shown: 'asked' }));
    const wanted = wantedFor(before, CARD);
    const newer = refresh(before, { ...POSTED, shown: wanted }, CARD, 'asked');
    expect(actions(newer)).not.toContain('update card');
    expect(actions(refresh(newer, { ...POSTED, shown: wanted }, CARD, 'asked'))).not.toContain('update card');
    for (const older of [{ ...POSTED, shown: 'voted' }, { kind: 'unknown' }] as const) {
      const unsure = refresh(newer, older, CARD, 'asked');
      expect(actions(unsure, START + 1_000)).toContain('update card');
      const repeated = refresh(unsure, { ...POSTED, shown: wanted });
      expect(actions(repeated, START + 1_000)).not.toContain('update card');
    }
    const older = refresh(before, { ...POSTED, shown: 'voted' }, CARD, 'asked');
    expect(actions(refresh(older, { ...POSTED, shown: wanted }, CARD, 'asked'))).toContain('update card');
  });

  it('posts the card of an open request anew when it was deleted', () => {
    for (const request of [pending(), decided()]) {
      const deleted = refresh(execution({ requests: [request] }), { kind: 'gone' });
      expect(cardOf(deleted)).toEqual(DUE);
      expect(actions(deleted)).toContain('post card');
    }
  });

  it('lets a deleted card of a closed request be', () => {
    for (const request of [delivered(), superseded()]) {
      const deleted = refresh(execution({ requests: [request] }), { kind: 'gone' });
      expect(cardOf(deleted)).toEqual({ status: 'gone', ts: '100.1' });
    }
  });

  it('keeps the thread of a root message that was deleted', () => {
    const deleted = refresh(withCard(DUE), { kind: 'gone' }, ROOT);
    expect(postOf(deleted, ROOT)).toEqual({ status: 'gone', ts: '99.9' });
    expect(actions(deleted)).toEqual(['post card']);
  });

  it('goes on with the reply that Slack put into the channel when the thread was deleted', () => {
    const before = withCard(POSTING);
    const outcome = { kind: 'posted', ts: '200.2', shown: 'all', lostThread: '99.9' } as const;
    const after = settle(before, outcome);
    expect(postOf(after, ROOT)).toEqual({ status: 'gone', ts: '200.2' });
    expect(cardOf(after)).toMatchObject({ status: 'posted', ts: '200.2' });
    const root = postOf(after, ROOT) ?? DUE;
    const moved = changed(before, { root });
    expect(postOf(settle(moved, { ...outcome, ts: '300.3' }), ROOT)).toEqual(root);
  });

  it('is put off where its turn is far away, and nothing else is', () => {
    for (const card of [DUE, UNSURE, posted()]) {
      const before = shown(withCard(card));
      const after = postpone(before, CARD, 4_000, START);
      expect(cardOf(after)).toEqual({ ...cardOf(before), notBefore: START + 4_000 });
      expect(postpone(after, CARD, 1_000, START)).toEqual(after);
    }
    const claimed = withCard(POSTING);
    expect(postpone(claimed, CARD, 4_000, START)).toBe(claimed);
  });
});

const TOLD = { key: 'card:1', channel: execution().channel, ts: '100.5', shown: 'model' };

describe('a message that Slack tells of', () => {
  const tell = (each: Execution, told: Partial<typeof TOLD> = {}) => learnPosted(each, { ...TOLD, ...told }, START);

  it('is there, whatever became of its posting', () => {
    for (const card of [DUE, UNSURE, { status: 'gone', ts: null } as const])
      expect(cardOf(tell(withCard(card)))).toMatchObject({ status: 'posted', ts: '100.5', shown: 'model' });
  });

  it('is still answered by its posting, which says more', () => {
    const told = tell(withCard(POSTING));
    expect(cardOf(told)).toMatchObject({ status: 'posting', attempt: 1 });
    const answered = settle(told, { ...POSTED, ts: '100.5', mentioned: [JON.id] });
    expect(withItsPosts(answered)).toMatchObject({
      card: { status: 'posted', ts: '100.5' },
      copies: [],
      discussion: { mentioned: [JON.id] },
    });
  });

  it('is there although its posting seemed to fail, or its process has died', () => {
    const told = tell(withCard(POSTING));
    const unknown = settle(told, { kind: 'unknown', mentioned: [JON.id] });
    expect(withItsPosts(unknown)).toMatchObject({
      card: { status: 'posted', ts: '100.5' },
      discussion: { mentioned: [JON.id] },
    });
    const dead = checkClaims(told, checkAt(START + CLAIM_MS));
    expect(withItsPosts(dead)).toMatchObject({
      card: { status: 'posted', ts: '100.5' },
      discussion: { mentioned: [] },
    });
    expect(dead.requests[0]?.discussion.directMessages.status).toBe('due');
  });

  it('has a copy where an attempt that was given up has posted it, too', () => {
    const told = tell(withCard({ ...POSTING, mayExist: true }));
    expect(withItsPosts(settle(told, POSTED))).toMatchObject({ card: { ts: '100.1' }, copies: [{ ts: '100.5' }] });
    expect(withItsPosts(tell(withCard(posted())))).toMatchObject({ card: { ts: '100.1' }, copies: [{ ts: '100.5' }] });
  });

  it('is nothing that we know not, or know already, or that is elsewhere', () => {
    for (const told of [{ key: 'card:9' }, { channel: 'C0ELSEWHERE' }, { ts: '100.1' }]) {
      const before = withCard(posted());
      expect(tell(before, told)).toBe(before);
    }
  });

  it('is where Slack says it is, if it is a direct message', () => {
    const list = [{ to: JON.id, reason: 'policy' as const, channel: null, post: UNSURE }];
    const run = execution({ requests: [pending({ directMessages: { status: 'listed', list } })] });
    const told = tell(run, { key: `direct:1:${JON.id}`, channel: 'D0JON' });
    expect(told.requests[0]?.discussion.directMessages.list).toMatchObject([{ channel: 'D0JON' }]);
    expect(postOf(told, { kind: 'direct-message', approvalId: '1', to: JON.id })?.status).toBe('posted');
  });

  it('is a duplicate where we know another one that says the same, unless people may click on it', () => {
    const run = execution({ requests: [pending()] });
    const isTwice = (key: string, ts = '100.5') => isDuplicate(run, { ...TOLD, key, ts });
    expect([isTwice('root'), isTwice('root', '99.9'), isTwice('card:1'), isTwice('task:7')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('a message that was deleted', () => {
  const CHANNEL = execution().channel;
  const remove = (each: Execution, ts: string, now = START) => learnDeleted(each, { channel: CHANNEL, ts }, now);

  it('comes back at once if it is the card of an open request, and later and later if it is deleted each time', () => {
    let each = withCard(posted());
    const pauses: number[] = [];
    for (let n = 1; n <= 12; n++) {
      each = remove(each, tsOf(cardOf(each) ?? DUE) ?? '');
      const card = cardOf(each);
      pauses.push(card?.status === 'due' ? card.notBefore - START : -1);
      each = settle(claimMessage(each, CARD, PROCESS, START + HOUR_MS), { ...POSTED, ts: `200.${n}` });
    }
    expect(pauses.slice(0, 3)).toEqual([0, 30_000, 60_000]);
    expect(pauses.at(-1)).toBe(HOUR_MS);
  });

  it('isn’t taken for another copy when Slack tells late that it was posted', () => {
    const again = remove(withCard(posted()), '100.1');
    expect(learnPosted(again, { ...TOLD, ts: '100.1' }, START)).toBe(again);
  });

  it('is of no matter in another channel, or where we don’t know it', () => {
    const before = withCard(posted());
    expect(remove(before, '100.7')).toBe(before);
    expect(learnDeleted(before, { channel: 'C0ELSEWHERE', ts: '100.1' }, START)).toBe(before);
  });
});

describe('a click on a copy of a card', () => {
  const click = (each: Execution, ts: string) => learnCopy(each, { approvalId: '1', ts }, START);

  it('shows where the card is, while its own posting is in doubt', () => {
    for (const card of [DUE, UNSURE, POSTING])
      expect(withItsPosts(click(withCard(card), '100.5'))).toMatchObject({
        card: { status: 'posted', ts: '100.5' },
        copies: [],
      });
  });

  it('makes the copy as true as the card', () => {
    const known = click(shown(withCard(posted())), '100.5');
    expect(actions(known)).toEqual(['update copy']);
    const settled = settleRefresh(
      known,
      {
        message: { kind: 'copy', approvalId: '1', ts: '100.5' },
        outcome: { ...POSTED, shown: wantedFor(known, CARD) },
        replaced: '',
      },
      START,
    );
    expect(actions(settled)).toEqual([]);
  });

  it('changes nothing for the card itself and for a copy that is known', () => {
    const before = withCard(posted());
    expect(click(before, '100.1')).toBe(before);
    const known = click(before, '100.5');
    expect(click(known, '100.5')).toBe(known);
    expect(click(before, '100.5').requests).toHaveLength(1);
  });
});

describe('the thread', () => {
  const long = request({ output: output('long'), attachesFile: true });
  const asked = (before: Execution) => {
    const result = ask(before, long, START, RULES);
    return result.ok ? result.value : before;
  };

  it('begins once the crew has taken the start, or may have', () => {
    const begun = (run: Execution['run']) => actions({ ...starting({ kickoff: { status: 'settled' } }), run });
    expect(actions(starting())).toEqual(['kickoff']);
    expect(begun({ status: 'starting' })).toEqual([]);
    expect(begun(NOT_STARTED)).toEqual([]);
    expect(begun({ status: 'running' })).toEqual(['post root']);
    expect(begun({ status: 'not-confirmed', doubt: 'no-answer', since: START })).toEqual(['post root']);
  });

  it('tells of a start that was refused after all only where it is there already', () => {
    const after = (root: Post) => actions(starting({ kickoff: { status: 'settled' }, run: NOT_STARTED, root }));
    expect([posted(), UNSURE, DUE].map(after)).toEqual([['update root'], ['post root'], []]);
  });

  it('has no replies before the root', () => {
    const early = asked(execution({ root: DUE }));
    expect(actions(early)).toEqual(['post root']);
    expect(actions(changed(early, { root: posted({ ts: '99.9' }) }))).toContain('post card');
  });

  it('gets decisions and cards before what only reports', () => {
    const busy = recordStep(
      asked(execution({ requests: [decided({ id: '1', taskId: 'title' })] })),
      { hop: 0, kickoffId: 'k1' },
      START,
    );
    expect(actions(busy).filter((action) => action !== 'catch-up')).toEqual(['resume', 'post card', 'post file']);
    expect(actions(busy, START + 3_000).filter((action) => action !== 'catch-up')).toEqual([
      'resume',
      'update card',
      'post card',
      'update root',
      'post file',
    ]);
  });

  it('gets the whole output as a file where a modal can not hold it', () => {
    expect(actions(shown(asked(execution())))).toEqual(['post card', 'post file']);
    const short = ask(execution(), request({ output: output('short') }), START, RULES);
    expect(short.ok && withItsPosts(short.value).file).toBeNull();
  });

  it('gets no card and no file of a request that closed unseen', () => {
    const unseen = execution({ requests: [superseded({ card: DUE, file: DUE })] });
    expect(actions(shown(unseen))).toEqual([]);
  });

  it('settles the card of a closed request that may have been seen', () => {
    const doubtful = execution({ requests: [superseded({ card: UNSURE })] });
    expect(actions(shown(doubtful))).toEqual(['post card']);
  });

  it('gets one reply for a task, however often it is told, and one for the end', () => {
    const task = { hop: 0, kickoffId: 'k1', name: 'Collect', agent: null, summary: 'done', output: null };
    const once = recordTask(execution(), task, START);
    const twice = recordTask(once, task, START);
    expect([twice.tasks.length, tasksDone(twice)]).toEqual([1, 1]);
    const ended = recordCompletion(twice, { hop: 0, kickoffId: 'k1', result: null }, START);
    // The root leads to the result, and waits for it.
    expect(actions(ended)).toEqual(['post task', 'post ending']);
    expect(actions(ended, START + 3_000)).toContain('update root');
  });

  it('tells nothing new after a person stopped following, but takes the buttons off the cards', () => {
    const task = { hop: 0, kickoffId: 'k1', name: 'Collect', agent: null, summary: 'done', output: null };
    const busy = shown(recordTask(withCard(posted(), { file: DUE }), task, START));
    expect(actions(busy)).toEqual(['post task', 'post file']);
    expect(actions(valueFrom(stopFollowing(busy, permittedTo(JON), START)))).toEqual(['update card', 'update root']);
  });

  it('still tells the result when a person stops following just after the end', () => {
    const ended = recordCompletion(execution(), { hop: 0, kickoffId: 'k1', result: null }, START);
    expect(valueFrom(stopFollowing(ended, permittedTo(JON), START))).toBe(ended);
  });
});

describe('the private word to the starter', () => {
  const due = starting({
    kickoff: { status: 'settled' },
    starterNotice: { status: 'due', tries: 0, notBefore: START },
  });

  it('is said by the answer to their own request, if the outcome is known in time', () => {
    expect(answerStarter(due).starterNotice).toEqual({ status: 'told' });
    expect(answerStarter(starting())).toEqual(starting());
  });

  it('is said once', () => {
    expect(settleStarterNotice(due, 'told', START).starterNotice).toEqual({ status: 'told' });
  });

  it('is given up after eight tries', () => {
    const tried = [1, 2, 3, 4, 5, 6, 7].reduce((each) => settleStarterNotice(each, 'later', START), due);
    expect(tried.starterNotice).toMatchObject({ status: 'due', tries: 7 });
    expect(settleStarterNotice(tried, 'later', START).starterNotice).toEqual({ status: 'told' });
  });
});

it('what lasts until a person changes something in Slack is tried after a minute, and at last every four hours', () => {
  const pauses: number[] = [];
  let post: Post = duePost(0);
  for (let now = 0; pauses.length < 12; ) {
    const claimed = claimPosting(post, 'process', now);
    post = settlePosting(
      claimed,
      { attempt: claimed.status === 'posting' ? claimed.attempt : 0, outcome: { kind: 'refused' } },
      now,
      {
        updateMs: 0,
        repeatMs: 0,
      },
    );
    const next: number = post.status === 'due' ? post.notBefore : now;
    pauses.push(next - now);
    now = next;
  }
  expect(pauses.slice(0, 3)).toEqual([60_000, 120_000, 240_000]);
  expect(pauses.slice(-2)).toEqual([4 * HOUR_MS, 4 * HOUR_MS]);
});
