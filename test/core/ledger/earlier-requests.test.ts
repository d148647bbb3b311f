import { expect, it } from 'vitest';
import { decide } from '../../../src/core/approval/decide.ts';
import { recordDeliveries } from '../../../src/core/ledger/delivery-events.ts';
import { recordEarlierRequests } from '../../../src/core/ledger/earlier-requests.ts';
import { delivered, MARIA, PERMITTED, pending, START, sending } from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';
import { valueFrom } from '../../support/value-from.ts';

const CHOICE = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;

it('enters a request that was open before the ledger ahead of its decision', () => {
  const before = execution({ approvals: [pending({ isInLedger: false })] });
  const decided = valueFrom(decide(before, '1', { choice: CHOICE, by: MARIA, ...PERMITTED }, START + 5));
  const { ledgerEvents, approvals } = recordEarlierRequests(before, decided);
  expect(ledgerEvents.map(({ kind, at }) => ({ kind, at }))).toEqual([
    { kind: 'asked', at: START },
    { kind: 'decided', at: START + 5 },
  ]);
  expect(approvals.map(({ isInLedger }) => isInLedger)).toEqual([true]);
});

it('enters it once, and only with something about it', () => {
  const before = execution({ approvals: [pending({ isInLedger: false })] });
  expect(recordEarlierRequests(before, before)).toBe(before);
  const entered = execution({ approvals: [pending()] });
  const decided = valueFrom(decide(entered, '1', { choice: CHOICE, by: MARIA, ...PERMITTED }, START));
  expect(recordEarlierRequests(entered, decided)).toBe(decided);
});

it('leaves out the delivery of a decision that was made before there was a ledger', () => {
  const before = execution({ approvals: [sending({ isInLedger: false })] });
  const after = execution({ approvals: [delivered({ isInLedger: false })] });
  expect(recordDeliveries(before, after, START).ledgerEvents).toEqual([]);
});
