import fc from 'fast-check';
import { expect, it } from 'vitest';
import { policyDocument, policyHash, policyOf } from '../../src/core/approval/policy/document.ts';
import { DEFAULT_POLICY, NOBODY } from '../../src/core/approval/policy/policy.ts';
import { recordDeliveries } from '../../src/core/ledger/delivery-events.ts';
import { chainEntries, NO_ENTRIES } from '../../src/core/ledger/entry.ts';
import type { LedgerEvent } from '../../src/core/ledger/event.ts';
import type { EntryLine } from '../../src/ledger/lines/line.ts';
import { type Requests, replay } from '../../src/ledger/verify/replay.ts';
import { alwaysInLedger } from '../core/approval/policy/history/always.ts';
import { POLICIES } from '../core/approval/policy/history/truth.ts';
import { moves } from '../core/histories/moves.ts';
import { after, begin } from '../core/histories/world.ts';
import { RULES, START } from '../support/approvals.ts';
import { execution } from '../support/executions.ts';

const policies = new Map(
  [...POLICIES, DEFAULT_POLICY, NOBODY].map((policy) => [policyHash(policy), policyOf(policyDocument(policy))]),
);

function expectNothingWrong(events: readonly LedgerEvent[]): void {
  const requests: Requests = new Map();
  for (const entry of chainEntries('run', NO_ENTRIES, events))
    expect(replay(requests, entry as EntryLine, policies)).toBeNull();
}

it('whatever people, groups, policies and processes do, an auditor finds nothing wrong with it', () => {
  alwaysInLedger(expectNothingWrong);
});

it('whatever a crew, its tasks and their rounds do, an auditor finds nothing wrong with it', () => {
  fc.assert(
    fc.property(moves, (history) => {
      let world = begin(execution(), START, RULES);
      const events: LedgerEvent[] = [];
      for (const move of history) {
        const { execution: before } = world;
        world = after(world, move);
        events.push(
          ...recordDeliveries(before, world.execution, world.now).ledgerEvents.slice(before.ledgerEvents.length),
        );
      }
      expectNothingWrong(events);
    }),
    { numRuns: 500 },
  );
});
