import { expect, it } from 'vitest';
import type { LedgerEvent, VoteFacts } from '../../../src/core/ledger/entry.ts';
import { cutLine } from '../../../src/slack/ui/text/escape.ts';
import {
  createDecisions,
  type DecisionFilters,
  decisionsAsCsv,
  decisionTable,
} from '../../../src/tools/audit/decisions.ts';
import { asked, decided, jon, maria, NOW } from '../../ledger/ledger-under-test.ts';
import { readCsv } from '../../support/read-csv.ts';

const ALL: DecisionFilters = { since: null, until: null, crew: null, task: null, by: null };
const MINUTE = 60_000;
const NAMES: Record<string, string> = { U0MARIA: 'Maria Alvarez', U0JON: 'Jon Bell', U0LEA: 'Lea Wu' };
const lea: VoteFacts = { by: 'U0LEA', rule: '@legal', account: 'member' };
const written = {
  nameOf: (id: string) => NAMES[id] ?? id,
  linkOf: (ref: string) => (ref === 'first' ? 'https://x.slack.com/archives/C1/p1' : null),
};

function decisionsOf(runs: Record<string, readonly LedgerEvent[]>, filters: Partial<DecisionFilters> = {}) {
  const decisions = createDecisions({ ...ALL, ...filters });
  for (const [ref, run] of Object.entries(runs)) decisions.add(ref, run);
  return decisions.chosen();
}

const tableOf = (run: readonly LedgerEvent[], names = written.nameOf) =>
  decisionTable(decisionsOf({ first: run }), { ...written, nameOf: names }, cutLine);

const task = (name: string | null, id = name ?? 'a-task') => ({ task: { id, name } });

const RUNS = {
  second: [
    asked({ crew: 'payments', ...task('pay') }),
    decided({ verdict: 'decline', by: lea, votes: [] }, NOW + 5 * MINUTE),
  ],
  first: [
    asked(task('draft')),
    decided({ verdict: 'reject', by: maria, votes: [] }),
    asked({ approval: '2', round: 2, ...task('draft') }),
    decided({ approval: '2', outcome: 'ship it' }, NOW + MINUTE),
    asked({ approval: '3', ...task(null, '325337af') }),
    { kind: 'expired', at: NOW + 9 * MINUTE, facts: { approval: '3', policy: 'ab', outcome: 'close' } },
  ] satisfies LedgerEvent[],
};

it('A terminal shows who decided what, oldest first, with names, and a link or the reference of the run', () => {
  expect(decisionTable(decisionsOf(RUNS), written, cutLine)).toEqual([
    'when (UTC)        crew      task      round  verdict            by                       thread or run',
    '2026-11-18 11:06  research  draft     1      rejected           Maria Alvarez            https://x.slack.com/archives/C1/p1',
    '2026-11-18 11:07  research  draft     2      approved: ship it  Maria Alvarez, Jon Bell  https://x.slack.com/archives/C1/p1',
    '2026-11-18 11:11  payments  pay       1      declined           Lea Wu                   second',
    '2026-11-18 11:15  research  325337af  1      expired            nobody                   https://x.slack.com/archives/C1/p1',
  ]);
});

it('A spreadsheet gets the same with ids, and no formula of anybody’s', () => {
  const evil = [asked({ crew: '=cmd', ...task('+1,"2"') }), decided({ by: { ...maria, for: jon }, votes: [lea] })];
  const names = (id: string) => (id === 'U0LEA' ? '=HYPERLINK("x")' : written.nameOf(id));
  const [heading = [], ...lines] = readCsv(decisionsAsCsv(decisionsOf({ third: evil }), { ...written, nameOf: names }));
  expect(heading.join()).toBe('at,crew,task,round,verdict,outcome,by,by_ids,ref,thread');
  expect(lines).toEqual([
    [
      ...['2026-11-18T11:06:42.000Z', "'=cmd", `'+1,"2"`, '1', 'approved', ''],
      ...[`'=HYPERLINK("x"); Maria Alvarez for Jon Bell`, 'U0LEA; U0MARIA for U0JON', 'third', ''],
    ],
  ]);
});

it.each<[what: string, run: LedgerEvent[], by: string]>([
  [
    'in the order in which they approved',
    [asked(), decided({ by: maria, votes: [lea, jon] })],
    'Lea Wu, Jon Bell, Maria Alvarez',
  ],
  [
    'in earlier stages, too, each once',
    [
      asked(),
      {
        kind: 'voted',
        at: NOW,
        facts: {
          approval: '1',
          ...lea,
          text: null,
          policy: 'ab',
          completes: [{ place: '', stage: 'Peer', votes: [lea] }],
        },
      },
      decided({ by: maria, votes: [], completes: [{ place: '', stage: 'Legal', votes: [jon] }] }),
    ],
    'Lea Wu, Jon Bell, Maria Alvarez',
  ],
  [
    'with the person whose right they used',
    [asked(), decided({ by: { ...lea, for: jon }, votes: [] })],
    'Lea Wu for Jon Bell',
  ],
])('Everybody counts who approved, %s', (_, run, by) => {
  expect(tableOf(run)[1]).toContain(`  ${by}  `);
});

it('Whoever rejects what others have approved before stands there alone', () => {
  const completes = [{ place: '', stage: 'Peer', votes: [lea] }];
  const peer: LedgerEvent = {
    kind: 'voted',
    at: NOW,
    facts: { approval: '1', ...lea, text: null, policy: 'ab', completes },
  };
  expect(tableOf([asked(), peer, decided({ verdict: 'reject', by: maria, votes: [] })])[1]).toMatch(
    / rejected {2}Maria Alvarez {2}/,
  );
});

it('An approval of an edited text says that it is one', () => {
  const edited = { sha256: 'ab'.repeat(32), length: 9 };
  expect(tableOf([asked(), decided({ edited })])[1]).toContain('  approved with edits  Maria Alvarez, Jon Bell  ');
});

it('People who share a name, or whose name reads as several, are told apart by their ids', () => {
  const run = [asked(), decided({ by: maria, votes: [lea, jon] })];
  const sameNames = (id: string) => (id === 'U0JON' ? 'Jon, Maria' : 'maria  ALVAREZ');
  expect(tableOf(run, sameNames)[1]).toContain(
    '  maria ALVAREZ (U0LEA), Jon, Maria (U0JON), maria ALVAREZ (U0MARIA)  ',
  );
});

it('A decision that was undone, or certainly never sent, is none', () => {
  const undone: LedgerEvent = {
    kind: 'undone',
    at: NOW + MINUTE,
    facts: { approval: '1', policy: 'ab', by: 'U0JON', rule: '@leads' },
  };
  const lost: LedgerEvent = {
    kind: 'lost',
    at: NOW + MINUTE,
    facts: { approval: '1', verdict: 'approve', by: 'U0JON', attempts: 0 },
  };
  for (const event of [undone, lost]) expect(decisionsOf({ first: [asked(), decided(), event] })).toEqual([]);
});

it.each<[filters: Partial<DecisionFilters>, found: number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ since: NOW + MINUTE }, [2, 3, 4]],
  [{ since: NOW + MINUTE, until: NOW + 5 * MINUTE }, [2]],
  [{ crew: 'Research' }, [1, 2, 4]],
  [{ task: 'draft' }, [1, 2]],
  [{ task: ' DRAFT ' }, [1, 2]],
  [{ task: '325337af' }, [4]],
  [{ by: 'U0MARIA' }, [1, 2]],
  [{ by: 'U0JON' }, [2]],
  [{ by: 'U0NOBODY' }, []],
  [{ crew: 'research', task: 'draft', by: 'U0JON', since: NOW }, [2]],
])('With %j it lists what fits', (filters, found) => {
  const all = decisionsOf(RUNS);
  expect(decisionsOf(RUNS, filters)).toEqual(found.map((number) => all[number - 1]));
});

it.each<[filters: Partial<DecisionFilters>, told: string]>([
  [
    { crew: 'reserch' },
    'Nothing of the crew reserch was decided in this time. There are decisions of: payments, research',
  ],
  [{ task: 'draf' }, 'Nothing of the task draf was decided in this time. There are decisions of: 325337af, draft, pay'],
  [
    { crew: 'payments', task: 'draft' },
    'Nothing of the task draft was decided in this time. There are decisions of: pay',
  ],
  [{ crew: 'research', until: NOW }, 'Nothing of the crew research was decided in this time.'],
])('With %j it says what there is instead', (filters, told) => {
  expect(() => decisionsOf(RUNS, filters)).toThrow(told);
});

it('A terminal shows as many decisions as there are', () => {
  const [decision] = decisionsOf(RUNS);
  const many = Array.from({ length: 150_000 }, () => decision).filter((each) => each !== undefined);
  expect(decisionTable(many, written, cutLine)).toHaveLength(150_001);
});
