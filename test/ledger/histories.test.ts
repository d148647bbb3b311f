import { expect, it } from 'vitest';
import { policyDocument, policyHash, policyOf } from '../../src/core/approval/policy/document.ts';
import { chainEntries, NO_ENTRIES } from '../../src/core/ledger/entry.ts';
import type { EntryLine } from '../../src/ledger/lines/line.ts';
import { type Requests, replay } from '../../src/ledger/verify/replay.ts';
import { alwaysInLedger } from '../core/approval/policy/history/always.ts';
import { POLICIES } from '../core/approval/policy/history/truth.ts';

const policies = new Map(POLICIES.map((policy) => [policyHash(policy), policyOf(policyDocument(policy))]));

it('whatever people, groups, policies and processes do, an auditor finds nothing wrong with it', () => {
  alwaysInLedger((events) => {
    const requests: Requests = new Map();
    for (const entry of chainEntries('run', NO_ENTRIES, events))
      expect(replay(requests, entry as EntryLine, policies)).toBeNull();
  });
});
