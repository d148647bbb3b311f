import { expect, it } from 'vitest';
import type { LedgerEvent } from '../../src/core/ledger/entry.ts';
import { chainEntries, NO_ENTRIES } from '../../src/core/ledger/entry.ts';
import { storyOf } from '../../src/ledger/story.ts';
import { asked, confirmed, decided, jon, maria, NOW, sent, voted } from './ledger-under-test.ts';

const about = { approval: '1', by: jon.by };
const of = { policy: '0123456789abcdef', rule: '@leads' };
const refused = (action: string, approval: string | null = '1'): Omit<LedgerEvent, 'at'> => ({
  kind: 'refused',
  facts: { approval, action, by: jon.by, reason: 'guest', policy: of.policy },
});

const SENTENCES: [Omit<LedgerEvent, 'at'>, string][] = [
  [
    asked({ round: 2, starter: null, task: { id: 't1', name: null } }),
    'The crew research (started elsewhere) asked in C0123456789 for a decision on "t1", in round 2. This is request 1.',
  ],
  [
    { kind: 'named', facts: { approval: '1', task: { id: 't1', name: 'publish' }, ...of, reopened: false } },
    'The crew named the task of request 1: "publish". From then on, the rules for that name applied.',
  ],
  [
    { kind: 'named', facts: { approval: '1', task: { id: 't1', name: 'publish' }, ...of, reopened: true } },
    'The crew named the task of request 1: "publish". From then on, the rules for that name applied. The decision made before, which had not been sent, no longer counted.',
  ],
  [
    voted({ ...maria, account: 'guest' }),
    'U0MARIA (allowed as U0MARIA, a guest) approved request 1; more approvals were needed.',
  ],
  [{ kind: 'withdrawn', facts: { ...about, reason: 'own' } }, 'U0JON withdrew the approval of request 1.'],
  [
    { kind: 'withdrawn', facts: { ...about, reason: 'deactivated' } },
    'The approval of request 1 by U0JON no longer counted (deactivated).',
  ],
  [
    decided({ verdict: 'reject', votes: [], undo_ms: 60_000 }),
    'U0JON (allowed as @leads) rejected request 1, with a text of 9 characters. It could be undone for 1 minute.',
  ],
  [
    decided({ verdict: 'reject' }),
    'U0JON (allowed as @leads) rejected request 1, which U0MARIA (allowed as U0MARIA) had approved, with a text of 9 characters.',
  ],
  [decided({ by: null, verdict: 'reject' }), 'Request 1 was rejected, since nobody had decided it in time.'],
  [refused('approve'), 'U0JON tried to approve request 1 and was refused (guest).'],
  [refused('send-again'), 'U0JON tried to send the decision on request 1 again and was refused (guest).'],
  [refused('hand-over'), 'U0JON tried to add an approver to request 1 and was refused (guest).'],
  [refused('ask-approvers'), 'U0JON tried to have others asked about request 1 and was refused (guest).'],
  [refused('start', null), 'U0JON tried to start a run and was refused (guest).'],
  [refused('stop-following', null), 'U0JON tried to stop following the run and was refused (guest).'],
  [{ kind: 'undone', facts: { ...about, ...of } }, 'U0JON undid the decision on request 1 before it was sent.'],
  [{ kind: 'handed-over', facts: { ...about, ...of, to: 'U0EVE' } }, 'U0JON added U0EVE as an approver of request 1.'],
  [
    { kind: 'handed-over', facts: { ...about, ...of, to: 'U0EVE', until: Date.UTC(2026, 11, 2) } },
    'U0JON added U0EVE as an approver of request 1 until 2026-12-02 00:00:00 UTC.',
  ],
  [
    { kind: 'taken-back', facts: { approval: '1', by: 'U0JON', to: 'U0EVE', until: NOW } },
    'U0JON took request 1 back, for which U0EVE had stood in.',
  ],
  [
    { kind: 'reminded', facts: { approval: '1', number: 2, mentioned: [] } },
    'Reminder 2 about request 1 mentioned nobody.',
  ],
  [
    { kind: 'escalated', facts: { approval: '1', to: ['@legal', 'U0EVE'], mentioned: [], policy: of.policy } },
    'Request 1 had waited too long: from then on @legal, U0EVE could decide it, too.',
  ],
  [
    { kind: 'expired', facts: { approval: '1', outcome: 'close', policy: of.policy } },
    'Nobody decided request 1 in time: it was closed, and nothing was sent.',
  ],
  [sent, 'The decision on request 1 was sent to the crew (attempt 1).'],
  [confirmed, 'The crew accepted the decision on request 1.'],
  [
    { kind: 'confirmed', facts: { approval: '1', proof: 'evidence' } },
    'The crew went on, which proves that it got the decision on request 1.',
  ],
  [
    { kind: 'unconfirmed', facts: { approval: '1', attempt: 2 } },
    'Whether the crew got the decision on request 1 stayed unknown (attempt 2).',
  ],
  [
    { kind: 'policy', facts: { crew: 'research', policy: '0123456789abcdef' } },
    'From then on, the crew research had the policy 0123456789ab.',
  ],
];

it.each(SENTENCES)('%# tells %j', (event, sentence) => {
  const entries = chainEntries('run', NO_ENTRIES, [{ ...event, at: NOW } as LedgerEvent]);
  expect(storyOf('run', entries)).toEqual([`2026-11-18 11:06:40 UTC  ${sentence}`]);
});
