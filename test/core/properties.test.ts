import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claimableAt,
  type DueAction,
  dueActionKey,
  dueActionsAt,
  dueAt,
  firstActionsAt,
} from '../../src/core/due-actions.ts';
import { adoptExecution } from '../../src/core/execution/start.ts';
import { recordStatus } from '../../src/core/execution/tracking.ts';
import { dueStep } from '../../src/core/execution/workflow-steps.ts';
import type { CrewRules } from '../../src/core/policy/crew-rules.ts';
import { type CrewPolicy, DEFAULT_POLICY, WORKSPACE } from '../../src/core/policy/policy.ts';
import { askRepeat } from '../../src/core/request/ask.ts';
import { declineOf, type Execution, hasEnded, isHeld, missesCrew } from '../../src/core/state/execution.ts';
import { postOf } from '../../src/core/state/message.ts';
import { isOpen, isRunUnknown } from '../../src/core/state/request.ts';
import { execution, starting } from '../support/executions.ts';
import { attempt, JON, MARIA, RULES, START, sending, unconfirmed } from '../support/requests.ts';
import { runs, SEED } from '../support/sample.ts';
import { dueInstants } from './histories/due-instants.ts';
import { type Move, moves } from './histories/moves.ts';
import { after, answered, begin, decisionsOf, type World, worked } from './histories/world.ts';

const adopted = (held: 'held' | 'free') =>
  adoptExecution({ ref: 'ref1', crew: 'editorial', channel: 'C1', held }, START);

const WAITING = (['start', 'end'] as const).map((awaits, i) =>
  dueStep({ id: `Fx${i + 1}`, workflow: 'Wx1', awaits }, START),
);

const BEGINNINGS: Execution[] = [
  starting(),
  starting({ workflowSteps: WAITING, starterNotice: { status: 'none' } }),
  execution({ workflowSteps: WAITING }),
  execution(),
  execution({ requests: [sending()] }),
  execution({ requests: [unconfirmed({ attempts: [attempt(), attempt({ number: 2, hop: 2 })] })] }),
  adopted('held'),
  adopted('free'),
];

const TIMED: CrewPolicy = {
  ...DEFAULT_POLICY,
  approvers: [{ kind: 'person', name: MARIA.id }, WORKSPACE],
  remindAfterMs: 20_000,
  escalateAfterMs: 60_000,
  escalateTo: [{ kind: 'person', name: JON.id }],
  expireAfterMs: 200_000,
};

const { stages: _, stage: _at, ...STAGE } = TIMED;
const stage = (name: string) => ({ ...STAGE, name });

const ALL_RULES: CrewRules[] = [
  RULES,
  { policy: TIMED, hours: null },
  {
    policy: { ...TIMED, onExpiry: 'reject', onDecline: 'reject', undoMs: 10_000 },
    hours: null,
    notify: 'dm',
    keepTexts: 'attach',
  },
  { policy: { ...TIMED, undoMs: 10_000 }, hours: null },
  {
    policy: {
      ...TIMED,
      quorum: 2,
      undoMs: 10_000,
      tasks: [
        { ...TIMED, match: 'task 0', looksAt: 'id', undoMs: 10_000 },
        { ...TIMED, match: 'publish', looksAt: 'name', undoMs: 5_000 },
        { ...TIMED, match: 'draft', looksAt: 'name', stages: [stage('One'), stage('Two')] },
      ],
    },
    hours: null,
  },
];

const beginnings = fc
  .tuple(fc.constantFrom(...BEGINNINGS), fc.constantFrom(...ALL_RULES))
  .map(([each, rules]) => begin(each, START, rules));

interface Step {
  before: World;
  now: World;
  move: Move;
}

const RUNS = { ...runs({ some: 100, all: 1_000 }), seed: SEED };

function stepsOf(beginning: World, history: Move[]): Step[] {
  let now = beginning;
  return history.map((move) => {
    const before = now;
    now = after(before, move);
    return { before, now, move };
  });
}

/** Playing them takes most of the time, and nothing changes them: all promises are tried on the same ones. */
const PLAYED = fc
  .sample(fc.tuple(beginnings, moves), RUNS)
  .map(([beginning, history]) => ({ beginning, steps: stepsOf(beginning, history) }));

/** Tries the promise after each move of many random histories; a failure shrinks to the shortest history that breaks it. */
function always(promise: (before: World, now: World, move: Move) => void): void {
  const tryOn = (steps: Step[]) => {
    for (const { before, now, move } of steps) promise(before, now, move);
  };
  try {
    for (const { steps } of PLAYED) tryOn(steps);
  } catch (broken) {
    fc.assert(
      fc.property(beginnings, moves, (beginning, history) => tryOn(stepsOf(beginning, history))),
      RUNS,
    );
    throw broken;
  }
}

/** What is done for the crew, and by its rules. */
const BY_CREW: readonly DueAction['kind'][] = [
  'resume',
  'kickoff',
  'poll',
  'remind',
  'escalate',
  'expire',
  'find-recipients',
];

const statusesOf = ({ requests }: Execution) => requests.map(({ state: { status } }) => status);

describe('whatever happens, in whatever order', () => {
  it('a decision is never replaced once it is made', () => {
    always((before, now) => {
      if (now.execution === before.execution) return;
      expect(decisionsOf(now.execution)).toMatchObject(decisionsOf(before.execution));
    });
  });

  it('each sending that a person asked for is accepted at most once, and delivered means accepted or proven', () => {
    always((_, { execution, truth }) => {
      for (const request of execution.requests) {
        const { accepted = 0, sendingsAsked = 0 } = truth[request.id] ?? {};
        expect(accepted).toBeLessThanOrEqual(sendingsAsked);
        if (request.state.status === 'delivered' && request.state.proof === 'accepted')
          expect(accepted).toBeGreaterThan(0);
      }
    });
  });

  it('no machine sends again while an earlier attempt may have arrived, unless a person asked', () => {
    always((_, { truth }) => {
      for (const { mayHaveArrived, sendingsAsked } of Object.values(truth))
        expect(mayHaveArrived.length).toBeLessThanOrEqual(sendingsAsked);
    });
  });

  it('Slack is never told again that a step of a workflow is done, unless it certainly hasn’t taken that', () => {
    always((_, { completions }) => {
      for (const told of Object.values(completions)) expect(told).toBeLessThanOrEqual(1);
    });
  });

  it('the due time is the first instant at which something is due, and none exactly when nothing is', () => {
    always((_, { execution }) => {
      const due = dueInstants(execution);
      expect(dueAt(execution)).toBe(due.length === 0 ? null : Math.min(...due));
    });
  });

  it('something is to be done exactly when the due time has come', () => {
    always((_, { execution, now }) => {
      const due = dueAt(execution);
      expect(dueActionsAt(execution, now).length > 0).toBe(due !== null && due <= now);
    });
  });

  it('what people wait for is started first: calls to the crew or, where none is due, cards', () => {
    always((_, { execution, now }) => {
      if (isHeld(execution)) return;
      const due = dueActionsAt(execution, now);
      const calls = due.filter(({ kind }) => kind === 'resume' || kind === 'kickoff');
      const cards = due.filter((action) => 'message' in action && action.message.kind === 'card');
      const first = calls.length > 0 ? calls : cards;
      const keys = first.map(dueActionKey);
      expect(firstActionsAt({ ...execution }, now, () => false)).toEqual(first);
      expect(firstActionsAt(execution, now, (action) => keys.includes(dueActionKey(action)))).toEqual(
        calls.length > 0 ? cards : [],
      );
    });
  });

  it('other processes may act on what people wait for at once, and on what can be repeated after seconds', () => {
    always((_, { execution, now }) => {
      const soon = now + 300;
      const [claimable, due] = [claimableAt({ ...execution }, soon), dueAt(execution)];
      const isClaimed = execution.requests.some(
        ({ id: approvalId, state: { status } }) =>
          status === 'sending' || postOf(execution, { kind: 'card', approvalId })?.status === 'posting',
      );
      const [first] = firstActionsAt(execution, soon, () => false);
      const sendsAt = execution.requests.flatMap(({ state }) => (state.status === 'decided' ? [state.sendAt] : []));
      if (!isClaimed && !isHeld(execution) && !missesCrew(execution) && sendsAt.length > 0)
        expect(claimable).toBeLessThanOrEqual(Math.max(soon, ...sendsAt));
      if (first && first.kind !== 'update' && !isClaimed) expect(claimable).toBe(soon);
      else if (due === null) expect(claimable).toBeNull();
      else {
        expect(claimable).toBeGreaterThanOrEqual(isClaimed ? soon : Math.max(due, soon));
        expect(claimable).toBeLessThanOrEqual(Math.max(due, soon) + 15_000);
      }
    });
  });

  it('while its crew is missing, nothing is sent to it, asked of it or done by time, and what is decided stays so', () => {
    always((before, { execution, now }, move) => {
      if (!missesCrew(execution)) return;
      const due = dueActionsAt(execution, now + 1e9).map(({ kind }) => kind);
      expect(due.filter((kind) => BY_CREW.includes(kind))).toEqual([]);
      if (move.kind === 'a process starts' || move.kind === 'time passes')
        expect(statusesOf(execution)).toEqual(statusesOf(before.execution));
    });
  });

  it('once its crew is back, whatever waits is due as the rules have it, counted from then', () => {
    always((before, { execution, now, rules }, move) => {
      if (move.kind !== 'a process starts' || move.crew !== 'configured' || !missesCrew(before.execution)) return;
      expect(missesCrew(execution)).toBe(false);
      const resumed = dueActionsAt(execution, now + 1e9).flatMap((each) => (each.kind === 'resume' ? [each] : []));
      const decided = execution.requests.filter(({ state: { status } }) => status === 'decided');
      const owed = decided.filter((each) => 'decision' in each.state && each.state.decision?.text !== null);
      if (!isHeld(execution)) expect(resumed).toHaveLength(owed.length);
      for (const {
        state: { status },
        discussion: { times },
      } of execution.requests) {
        if (status !== 'pending') continue;
        const after = rules.policy?.expireAfterMs ?? null;
        expect(times.expireAt).toBe(after === null ? null : now + after);
      }
    });
  });

  it('an execution that has ended stays ended, is not polled, and sends nothing more to the crew', () => {
    always((before, { execution, now }) => {
      if (hasEnded(before.execution)) expect(execution.run).toEqual(before.execution.run);
      if (!hasEnded(execution)) return;
      expect(execution.poll.nextAt).toBeNull();
      expect(dueActionsAt(execution, now + 1e9).map(({ kind }) => kind)).not.toContain('resume');
      for (const {
        state: { status },
      } of execution.requests)
        expect(['delivered', 'superseded', 'declined', 'sending', 'expired']).toContain(status);
    });
  });

  it('a status of "waiting" or "not found" proves nothing of any decision and ends no run', () => {
    always((_, { execution, now }) => {
      const waiting = { kind: 'waiting', completed: null, total: null, current: null } as const;
      for (const reading of [waiting, { kind: 'not-found' } as const]) {
        const polled = recordStatus(execution, reading, now);
        if (polled.requests !== execution.requests) expect(polled.requests).toEqual(execution.requests);
        expect(hasEnded(polled)).toBe(hasEnded(execution));
        const waits = execution.requests.some((each) => isOpen(each) && !isRunUnknown(each));
        if (waits && polled.run !== execution.run) expect(polled.run).toEqual(execution.run);
      }
    });
  });

  it('a request at addresses that the run has left behind opens nothing if its text was decided', () => {
    always((before, { execution }, move) => {
      if (move.kind !== 'a notification comes' || move.what !== 'human input') return;
      const opened = execution.requests.at(-1);
      if (!opened || execution.requests.length === before.execution.requests.length) return;
      const isKnown = before.execution.requests.some(
        ({ question: { taskId, hop, output } }) =>
          taskId === opened.question.taskId &&
          hop === opened.question.hop &&
          output.hash === opened.question.output.hash,
      );
      const last = before.execution.requests.findLast(({ question: { taskId } }) => taskId === opened.question.taskId);
      const isSentBack = last?.state.status === 'delivered' && last.state.decision.verdict === 'reject';
      const isLeftBehind = before.execution.requests.some(({ question: { hop } }) => hop > opened.question.hop);
      if (opened.question.kickoffId === null && !isSentBack) expect(isKnown && isLeftBehind).toBe(false);
    });
  });

  it('a request that may be a repetition is asked as soon as nothing else explains that the crew waits', () => {
    always((before, { execution, now, rules }) => {
      if (execution === before.execution || execution.possibleRepeats.length === 0) return;
      expect([hasEnded(execution), declineOf(execution)]).toEqual([false, null]);
      if (execution.requests.some(isOpen) || execution.poll.nextAt === null || rules.policy === null) return;
      const waiting = { kind: 'waiting', completed: null, total: null, current: null } as const;
      for (const reading of [waiting, { kind: 'not-found' } as const]) {
        const at = [40_000, 80_000].map((ms) => now + ms);
        const polled = at.reduce((each, then) => recordStatus(each, reading, then), execution);
        const asked = askRepeat(polled, rules, now + 80_000);
        expect(asked.requests.length).toBe(execution.requests.length + 1);
        expect(asked.requests.at(-1)?.question.repeatsRound).not.toBeNull();
        expect(asked.possibleRepeats.length).toBeLessThan(execution.possibleRepeats.length);
      }
    });
  });

  it('at most one round of a task is open', () => {
    always((before, { execution }) => {
      if (execution === before.execution) return;
      const open = execution.requests.filter(isOpen).map(({ question: { taskId } }) => taskId);
      expect(open).toEqual([...new Set(open)]);
    });
  });

  it('a run that was declined stays so, and asks nobody anything any more', () => {
    always((before, { execution }) => {
      const decline = declineOf(before.execution);
      if (!decline) return;
      expect(declineOf(execution)).toMatchObject(decline);
      const waiting = execution.requests.filter(
        (each) =>
          each.state.status === 'pending' || (each.state.status === 'superseded' && each.state.by === 'unfollowed'),
      );
      expect(waiting).toEqual([]);
    });
  });

  it('a decline that the crew isn’t told is never sent', () => {
    always((before, { execution }) => {
      if (execution === before.execution) return;
      for (const request of execution.requests)
        if ('decision' in request.state && request.state.decision?.text === null)
          expect(['decided', 'declined']).toContain(request.state.status);
    });
  });

  it('a run that can wait for a person says so', () => {
    always((_, { execution: { run, requests } }) => {
      if (run.status === 'running') expect(requests.some(isOpen)).toBe(false);
    });
  });

  it('the stored record says the same as the one in memory', () => {
    always((before, { execution }) => {
      if (execution !== before.execution) expect(JSON.parse(JSON.stringify(execution))).toStrictEqual(execution);
    });
  });

  it('doing all that is due leads to a quiet state at every moment', () => {
    always((_, world) => expect(dueActionsAt(settled(world).execution, world.now)).toEqual([]));
  });

  it('a completed run leaves nothing due', () => {
    const property = fc.property(beginnings, moves, (beginning, history) => {
      let world = settled(history.reduce(after, beginning));
      for (let times = 0; times < 50; times++) {
        const due = dueAt(world.execution);
        if (due === null) return;
        world = settled({ ...world, now: Math.max(world.now, due) });
      }
      throw new Error(`still due: ${JSON.stringify(dueActionsAt(world.execution, world.now + 1e9))}`);
    });
    fc.assert(property, runs({ some: 100, all: 1_000 }));
  });
});

/** All that is due is done with success, a poll finding the run completed, until nothing is due at this moment. */
function settled(world: World): World {
  let each = world;
  for (let times = 0; times < 100; times++) {
    const [action] = dueActionsAt(each.execution, each.now);
    if (!action) return each;
    const begun = worked({ ...each, calls: [] }, action);
    const [call] = begun.calls;
    each = call ? answered(begun, call, call.kind === 'poll' ? 6 : 0) : begun;
  }
  return each;
}
