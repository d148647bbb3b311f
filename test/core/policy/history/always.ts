import fc from 'fast-check';
import type { LedgerEvent } from '../../../../src/core/ledger/entry.ts';
import { requestFactsOf } from '../../../../src/core/policy/condition.ts';
import { type PossibleRules, possibleRules } from '../../../../src/core/policy/in-force.ts';
import type { Execution } from '../../../../src/core/state/execution.ts';
import type { CompletedStage, HumanRequest } from '../../../../src/core/state/request.ts';
import { runs, SEED } from '../../../support/sample.ts';
import { approvalIn } from '../runner/scene.ts';
import { after } from './after.ts';
import { type Move, moves } from './moves.ts';
import { INPUTS, POLICIES } from './truth.ts';
import { begin, type Change, type World } from './world.ts';

interface History {
  beginning: World;
  /** After each move. */
  worlds: World[];
}

const RUNS = { ...runs({ some: 500, all: 3_000 }), seed: SEED };
const moved = [fc.nat(POLICIES.length * INPUTS.length - 1), moves] as const;

function historyOf(policy: number, made: Move[]): History {
  const beginning = begin(policy);
  let world = beginning;
  return { beginning, worlds: made.map((move) => (world = after(world, move))) };
}

/** Playing them takes most of the time, and nothing changes them: all promises are tried on the same ones. */
const PLAYED = new Map<typeof RUNS, History[]>();

function sample(): History[] {
  const played =
    PLAYED.get(RUNS) ?? fc.sample(fc.tuple(...moved), RUNS).map(([policy, made]) => historyOf(policy, made));
  PLAYED.set(RUNS, played);
  return played;
}

/** The worlds of the histories that all promises are tried on and then of new ones, for as long as more are asked for. */
export function* endlessWorlds(): Generator<World> {
  for (const { worlds } of sample()) yield* worlds;
  while (true) for (const [policy, made] of fc.sample(fc.tuple(...moved), 100)) yield* historyOf(policy, made).worlds;
}

/** Tries the promise on many random histories; a failure shrinks to the shortest history that breaks it. */
function tryOnAll(promise: (history: History) => void): void {
  try {
    for (const history of sample()) promise(history);
  } catch (broken) {
    fc.assert(
      fc.property(...moved, (policy, made) => promise(historyOf(policy, made))),
      RUNS,
    );
    throw broken;
  }
}

/** Tries the promise after each move of many random histories. */
export function always(promise: (world: World, history: Change[]) => void): void {
  tryOnAll(({ worlds }) => {
    const changes: Change[] = [];
    for (const world of worlds) {
      if (world.change) changes.push(world.change);
      promise(world, changes);
    }
  });
}

/** The events of the ledger in each of many random histories, from the question on. */
export function alwaysInLedger(promise: (events: readonly LedgerEvent[]) => void): void {
  tryOnAll(({ beginning, worlds }) => promise([beginning, ...worlds].flatMap(({ change }) => change?.events ?? [])));
}

/** The request before and after the last change. */
export function lastChange({ change }: World): { was: HumanRequest; is: HumanRequest; change: Change } | null {
  return change && { was: approvalIn(change.before), is: approvalIn(change.after), change };
}

/** The rules that may turn out to apply, by the policy of the process that made a change. */
export function rulesOf({ policy }: Change, execution: Execution, request: HumanRequest): PossibleRules[] {
  return policy ? possibleRules(policy, requestFactsOf(execution, request)) : [];
}

/** The stages that a change completes. A decision completes none: it counts the votes of what is left. */
export function completedStages({ was, is }: { was: HumanRequest; is: HumanRequest }): CompletedStage[] {
  if (is.state.status !== 'pending' || is.discussion.stages === was.discussion.stages) return [];
  return is.discussion.stages.filter(({ key }) => was.discussion.stages.every((stage) => stage.key !== key));
}

/** What the ledger is told of a change. */
export function kindsOf({ events }: Change): string[] {
  return events.map(({ kind }) => kind).sort();
}
