import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordDeliveries } from '../../../src/core/state/events.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { HumanRequest } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import { attempt, decided, delivered, RULES, refused, START, sending, unconfirmed } from '../../support/requests.ts';
import { runs } from '../../support/sample.ts';
import { moves } from '../histories/moves.ts';
import { after, begin } from '../histories/world.ts';

const SECOND = attempt({ number: 2, hop: 2 });

/** What the ledger is told when one state of a request follows another. */
function told(before: HumanRequest, next: HumanRequest): unknown[] {
  const was = execution({ requests: [before] });
  return [...recordDeliveries(was, { ...was, requests: [next] }, START).ledgerEvents];
}

describe('the ledger is told', () => {
  it.each([
    ['sent', decided(), sending(), { approval: '1', attempt: 1 }],
    ['sent', decided(), sending({ attempts: [attempt(), SECOND] }), { approval: '1', attempt: 2 }],
    ['confirmed', sending(), delivered(), { approval: '1', proof: 'accepted' }],
    ['confirmed', unconfirmed(), delivered({ proof: 'evidence' }), { approval: '1', proof: 'evidence' }],
    ['not-confirmed', sending(), unconfirmed(), { approval: '1', attempt: 1 }],
  ])('%s when it is', (kind, before, next, facts) => {
    expect(told(before, next)).toEqual([{ kind, at: START, facts }]);
  });

  it.each([
    ['was refused', sending(), refused()],
    ['is to be sent again', unconfirmed(), decided({ attempts: [attempt()] })],
    ['is accepted after it was proven', delivered({ proof: 'evidence' }), delivered()],
  ])('nothing of a decision that %s', (_, before, next) => {
    expect(told(before, next)).toEqual([]);
  });

  it('of each attempt and each confirmation once, in whatever order things happen', () => {
    fc.assert(
      fc.property(moves, (history) => {
        let world = begin(execution(), START, RULES);
        const events: string[] = [];
        for (const move of history) {
          const { execution: before } = world;
          world = after(world, move);
          const noted = recordDeliveries(before, world.execution, world.now).ledgerEvents.slice(
            world.execution.ledgerEvents.length,
          );
          events.push(...noted.map(({ kind, facts }) => `${kind} ${'approval' in facts ? facts.approval : ''}`));
        }
        expect(events.filter((each) => each.startsWith('sent')).length).toBe(world.execution.hop);
        expect(events.filter((each) => each.startsWith('confirmed')).sort()).toEqual(confirmedIn(world.execution));
      }),
      runs({ some: 300, all: 3_000 }),
    );
  });
});

function confirmedIn({ requests }: Execution): string[] {
  return requests
    .filter(({ state: { status } }) => status === 'delivered')
    .map(({ id }) => `confirmed ${id}`)
    .sort();
}
