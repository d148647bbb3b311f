import fc from 'fast-check';
import type { Approval } from '../../../../../src/core/approval/approval.ts';
import type { LedgerEvent } from '../../../../../src/core/ledger/event.ts';
import { approvalIn } from '../runner/scene.ts';
import { after } from './after.ts';
import { moves } from './moves.ts';
import { begin, type Change, type World } from './world.ts';

/** Tries the promise after each move of many random histories; a failure shrinks to the shortest history that breaks it. */
export function always(promise: (world: World, history: Change[]) => void): void {
  const property = fc.property(fc.nat(9), moves, (policy, history) => {
    let world = begin(policy);
    const changes: Change[] = [];
    for (const move of history) {
      world = after(world, move);
      if (world.change) changes.push(world.change);
      promise(world, changes);
    }
  });
  fc.assert(property, { numRuns: 1_000 });
}

/** The events of the ledger in each of many random histories, from the question on. */
export function alwaysInLedger(promise: (events: readonly LedgerEvent[]) => void): void {
  const property = fc.property(fc.nat(9), moves, (policy, history) => {
    let world = begin(policy);
    const events = [...(world.change?.events ?? [])];
    for (const move of history) {
      world = after(world, move);
      events.push(...(world.change?.events ?? []));
    }
    promise(events);
  });
  fc.assert(property, { numRuns: 500 });
}

/** The request before and after the last change. */
export function lastChange({ change }: World): { was: Approval; is: Approval; change: Change } | null {
  return change && { was: approvalIn(change.before), is: approvalIn(change.after), change };
}

/** What the ledger is told of a change. */
export function kindsOf({ events }: Change): string[] {
  return events.map(({ kind }) => kind).sort();
}
