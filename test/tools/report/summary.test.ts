import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidedIn, isByPeople, roundsOf } from '../../../src/core/inbox/history.ts';
import type { LedgerEvent, LedgerFacts, LedgerKind, RightFacts, VoteFacts } from '../../../src/core/ledger/entry.ts';
import { outcomesOf } from '../../../src/tools/outcomes.ts';
import { createSummary, quantile, type Row } from '../../../src/tools/report/summary.ts';
import { moves } from '../../core/histories/moves.ts';
import { after, begin } from '../../core/histories/world.ts';
import * as ledger from '../../ledger/ledger-under-test.ts';
import { execution } from '../../support/executions.ts';
import { RULES, START } from '../../support/requests.ts';
import { runs } from '../../support/sample.ts';

const { NOW } = ledger;
const MINUTE = 60_000;
const PUBLISH = { id: 'task-1', name: 'publish' };
const UNNAMED = { ...PUBLISH, name: null };

const [approval, policy] = ['1', 'ab'.repeat(32)];
const person = { by: 'U0JON', rule: '@leads' };
const OTHERS: { [Kind in Exclude<LedgerKind, 'asked' | 'decided' | 'tried' | 'policy'>]: LedgerFacts[Kind] } = {
  named: { approval, policy, task: PUBLISH },
  voted: { approval, policy, ...person, account: 'member', text: null },
  withdrawn: { approval, by: 'U0JON', reason: 'own' },
  edited: { approval, policy, text: { sha256: '', length: 0 }, ...person },
  undone: { approval, policy, ...person },
  'handed-over': { approval, policy, ...person, to: 'U0ANNA' },
  'taken-back': { approval, by: 'U0JON', to: 'U0ANNA', until: NOW },
  revealed: { approval, by: 'U0JON', secrets: 1 },
  reminded: { approval, number: 1, mentioned: [] },
  escalated: { approval, policy, places: [''], to: [], mentioned: [] },
  expired: { approval, policy, outcome: 'close' },
  cancelled: { approval },
  sent: { approval, attempt: 1 },
  confirmed: { approval, proof: 'accepted' },
  'not-confirmed': { approval, attempt: 1 },
  lost: { approval, verdict: 'approve', by: 'U0JON', attempts: 1 },
  refused: { approval, policy, action: 'approve', by: 'U0ANNA', reason: 'not-approver' },
};

const right = (rule: string, by = 'U0JON'): RightFacts => ({ by, rule, account: 'member' });
const LEADS = right('@leads');

// Each happens so many minutes after the first could.
const asked = (minute: number, facts: Partial<LedgerFacts['asked']> = {}) =>
  ledger.asked({ task: PUBLISH, ...facts }, NOW + minute * MINUTE);
const decided = (minute: number, facts: Partial<LedgerFacts['decided']> = {}) =>
  ledger.decided({ by: LEADS, votes: [], ...facts }, NOW + minute * MINUTE);
const event = <Kind extends keyof typeof OTHERS>(kind: Kind, minute: number, facts: Partial<LedgerFacts[Kind]> = {}) =>
  ({ kind, at: NOW + minute * MINUTE, facts: { ...OTHERS[kind], ...facts } }) as LedgerEvent;
const named = (minute: number, facts: Partial<LedgerFacts['named']> = {}) => event('named', minute, facts);
const undone = (minute: number, approval = '1') => event('undone', minute, { approval });

type Run = readonly LedgerEvent[];

interface Asking {
  since?: number;
  until?: number | null;
  crew?: string | null;
  slaMs?: number | null;
  nameOf?: (id: string) => string;
}

function rowsOf(all: readonly Run[], asking: Asking = {}): Row[] {
  const { since = NOW, until = null, crew = null, slaMs = null, nameOf = (id) => id } = asking;
  const summary = createSummary({ since, until });
  for (const run of all) summary.add(run);
  return summary.rows({ crew, slaMs, nameOf });
}

function totalOf(all: readonly Run[], asking: Asking = {}): Partial<Row> {
  const { level, crew, task, approvers, ...figures } = rowsOf(all, asking).find((row) => row.level === 'total') ?? {};
  return figures;
}

/** Of each row, what it is about, how many were asked, and how many of these were decided. */
const outlineOf = (rows: readonly Row[]) =>
  rows.map(({ crew, task, approvers, asked, decided }) => {
    const names = [crew, task, approvers].filter((name) => name !== null);
    return `${names.join(' / ') || 'total'}: ${asked}, ${decided}`;
  });

const WAITING = {
  ...{ asked: 1, decided: 0, inTarget: null, medianMs: null, p95Ms: null },
  ...{ expired: 0, declined: 0, rounds: null },
};
const EXPIRED = { ...WAITING, expired: 1 };
const decidedAfter = (minutes: number) => ({
  ...{ ...WAITING, decided: 1, rounds: 1 },
  ...{ medianMs: minutes * MINUTE, p95Ms: minutes * MINUTE },
});

describe('a request', () => {
  const rejection = decided(10, { verdict: 'reject' });
  const finalNo = decided(10, { verdict: 'decline' });
  const askedUnnamed = asked(0, { task: UNNAMED });
  const rejectedInTime = [
    event('expired', 60, { outcome: 'reject' }),
    decided(60, { verdict: 'reject', by: null }),
    event('sent', 60),
  ];
  const sending = [event('sent', 10), event('not-confirmed', 11), event('sent', 12), event('confirmed', 13)];
  const besides = [
    ...[event('reminded', 1), event('refused', 2), event('escalated', 3)],
    ...[event('handed-over', 4), event('taken-back', 5), event('revealed', 6)],
  ];

  it.each<[what: string, run: Run, figures: Partial<Row>]>([
    ['that waits is asked, and not decided', [asked(0)], WAITING],
    ['is decided by an approval', [asked(0), decided(10)], decidedAfter(10)],
    ['is decided by a rejection, which settles nothing', [asked(0), rejection], { ...decidedAfter(10), rounds: null }],
    ['is decided and declined by a decline', [asked(0), finalNo], { ...decidedAfter(10), declined: 1 }],
    ['was taken back is asked, and not decided', [asked(0), event('cancelled', 5)], WAITING],
    ['waits if its decision was undone', [asked(0), decided(10), undone(11)], WAITING],
    ['is not declined if that was undone', [asked(0), finalNo, undone(11)], WAITING],
    ['is decided by the last decision', [asked(0), finalNo, undone(11), decided(30)], decidedAfter(30)],
    ['waits with votes', [asked(0), event('voted', 5, LEADS)], WAITING],
    ['is decided with the last vote', [asked(0), event('voted', 5, LEADS), decided(30)], decidedAfter(30)],
    [
      'waits if a vote was withdrawn',
      [asked(0), event('voted', 5, LEADS), event('withdrawn', 6, { by: LEADS.by })],
      WAITING,
    ],
    [
      'with several stages is decided with the last',
      [asked(0), event('voted', 5, { stage: 'Peer' }), decided(30, { stage: 'Release' })],
      decidedAfter(30),
    ],
    ['is expired if nobody decided in time', [asked(0), event('expired', 60, { outcome: 'close' })], EXPIRED],
    ['is expired, and not decided, if it was rejected then', [asked(0), ...rejectedInTime], EXPIRED],
    ['is decided whatever becomes of the decision', [asked(0), decided(10), ...sending], decidedAfter(10)],
    ['is not counted again for what else happens', [asked(0), ...besides], WAITING],
    ['is decided if it gets a name', [askedUnnamed, decided(10), named(20)], decidedAfter(10)],
    [
      'is decided when its name completes the votes',
      [askedUnnamed, event('voted', 5, LEADS), named(20), decided(21)],
      decidedAfter(21),
    ],
    ['is not decided by what is about another one', [asked(0), decided(10, { approval: '7' })], WAITING],
    [
      'is asked, and not decided, if it was replaced',
      [asked(0), asked(5, { approval: '2' })],
      { ...WAITING, asked: 2 },
    ],
  ])('%s', (_, run, figures) => {
    expect(totalOf([run])).toEqual(figures);
  });
});

describe('the rounds of a task', () => {
  type Ending = 'approve' | 'reject' | 'decline' | 'undone' | 'replaced';
  const story = (endings: readonly Ending[], task = PUBLISH): Run =>
    endings.flatMap((ending, i) => {
      const approval = String(i + 1);
      const request = asked(3 * i, { approval, round: i + 1, task });
      if (ending === 'replaced') return [request];
      if (ending === 'undone') return [request, decided(3 * i + 1, { approval }), undone(3 * i + 2, approval)];
      return [request, decided(3 * i + 1, { approval, verdict: ending })];
    });

  it.each<[endings: Ending[], rounds: number | null]>([
    [['approve'], 1],
    [['decline'], 1],
    [['reject', 'reject', 'approve'], 3],
    [['reject', 'decline'], 2],
    [['replaced', 'approve'], 2],
    [['undone', 'approve'], 2],
    // Once approved, a task begins anew.
    [['approve', 'approve'], 1],
    [['reject', 'approve', 'approve'], 1.5],
    [['reject', 'reject'], null],
    [['replaced'], null],
  ])('of %j are, on average, %j', (endings, rounds) => {
    expect(totalOf([story(endings)])?.rounds).toBe(rounds);
  });

  it('are counted by task and run, and also those before the period', () => {
    const draft = asked(7, { approval: '3', task: { id: 'task-2', name: 'draft' } });
    const run = [...story(['reject', 'approve']), draft, decided(8, { approval: '3' })];
    expect(totalOf([run])?.rounds).toBe(1.5);
    expect(totalOf([story(['reject', 'approve']), story(['approve'])])?.rounds).toBe(1.5);
    expect(totalOf([story(['reject', 'reject', 'approve'])], { since: NOW + 5 * MINUTE })).toMatchObject({
      asked: 1,
      rounds: 3,
    });
  });
});

describe('a request counts for', () => {
  it.each<[whom: string, by: VoteFacts, votes: VoteFacts[]]>([
    ['@leads', LEADS, []],
    ['@leads', LEADS, [right('@legal', 'U0ANNA'), right('U0MARIA', 'U0MARIA')]],
    ['channel', right('channel'), []],
    ['workspace', right('workspace'), []],
    ['@legal', { ...right('handed over'), for: right('@legal', 'U0ANNA'), named: '@leads' }, []],
    ['named people', right('U0JON'), []],
    ['named people', right('jon@example.com'), [LEADS]],
    ['named people', { ...right('handed over'), for: right('U0ANNA', 'U0ANNA') }, []],
    ['@release-managers', right('S0RELEASE'), []],
    ['S0UNKNOWN', right('S0UNKNOWN'), []],
    ['named people', right('input:owner'), []],
    ['what a later version calls it', right('what a later version calls it'), []],
  ])('%s', (whom, by, votes) => {
    const nameOf = (id: string) => (id === 'S0RELEASE' ? '@release-managers' : id);
    const [, , group] = rowsOf([[asked(0), decided(10, { by, votes })]], { nameOf });
    expect(group).toMatchObject({ level: 'approvers', approvers: whom, asked: 1, decided: 1 });
  });

  it('one group if the rules have it by its id and by its handle', () => {
    const byId = [asked(0), decided(10, { by: right('S0LEADS') })];
    expect(outlineOf(rowsOf([byId, [asked(0), decided(10)]], { nameOf: () => '@leads' }))).toContain(
      'research / publish / @leads: 2, 2',
    );
  });

  it('nobody while it is undecided or expired', () => {
    const expired = [asked(0), event('expired', 60, { outcome: 'close' })];
    expect(outlineOf(rowsOf([expired, [asked(0)]]))).toContain('research / publish / (undecided): 2, 0');
  });
});

describe('the groups whose names are asked for', () => {
  it('are those that rules have by their ids', () => {
    const summary = createSummary({ since: NOW, until: null });
    for (const rule of ['S0LEADS', '@legal', 'U0JON', 'channel', 'S0LEADS'])
      summary.add([asked(0), decided(10, { by: right(rule) })]);
    summary.add([asked(0)]);
    expect(summary.groupIds()).toEqual(['S0LEADS']);
  });
});

it('the rows are crews with their tasks with their groups, by name, and all groups at the end', () => {
  const draft = { id: 'task-2', name: 'draft' };
  const rows = rowsOf([
    [asked(0), asked(1, { approval: '2', task: draft }), decided(2), decided(3, { approval: '2', by: right('U0JON') })],
    [asked(0), decided(10, { by: right('workspace') })],
    [asked(0)],
    [asked(0, { crew: 'books' }), decided(10)],
  ]);
  expect(outlineOf(rows)).toEqual([
    'books: 1, 1',
    'books / publish: 1, 1',
    'books / publish / @leads: 1, 1',
    'research: 4, 3',
    'research / draft: 1, 1',
    'research / draft / named people: 1, 1',
    'research / publish: 3, 2',
    'research / publish / @leads: 1, 1',
    'research / publish / workspace: 1, 1',
    'research / publish / (undecided): 1, 0',
    'total: 5, 4',
    '@leads: 2, 2',
    'named people: 1, 1',
    'workspace: 1, 1',
    '(undecided): 1, 0',
  ]);
});

describe('a task', () => {
  const tasksOf = (all: readonly Run[]) =>
    outlineOf(rowsOf(all).filter(({ level }) => level === 'task')).map((line) => line.replace('research / ', ''));

  it('has the name that any of its rounds has', () => {
    const late = [asked(0, { task: UNNAMED }), decided(1, { verdict: 'reject' }), asked(2, { approval: '2' })];
    expect(tasksOf([late, [asked(0, { task: UNNAMED }), named(5)]])).toEqual(['publish: 3, 1']);
  });

  it('without a name is known by its id if several runs have it', () => {
    const unnamed = (id: string) => asked(0, { task: { id, name: null } });
    const twice = [unnamed('z'), asked(1, { approval: '2', task: { id: 'z', name: null } })];
    expect(tasksOf([[unnamed('a')], [unnamed('a'), decided(1)], [unnamed('b')], twice])).toEqual([
      'a: 2, 1',
      '(unnamed): 3, 0',
    ]);
  });
});

describe('the period', () => {
  const run = [asked(10), decided(500)];
  it.each<[since: number, until: number | null, counted: number]>([
    [10, null, 1],
    [11, null, 0],
    [0, 11, 1],
    [0, 10, 0],
  ])('from minute %d to %j has %d that was asked in minute 10 and decided later', (since, until, counted) => {
    const period = { since: NOW + since * MINUTE, until: until === null ? null : NOW + until * MINUTE };
    expect(totalOf([run], period).decided ?? 0).toBe(counted);
  });

  it('has no rows if nothing was asked', () => {
    expect(rowsOf([])).toEqual([]);
    expect(rowsOf([run], { crew: 'books' })).toEqual([]);
  });
});

it('one crew alone has its rows and their total, and all that have asked are known', () => {
  const summary = createSummary({ since: NOW, until: null });
  summary.add([asked(0, { crew: 'research' })]);
  summary.add([asked(0, { crew: 'books' }), decided(1)]);
  expect(outlineOf(summary.rows({ crew: 'books', slaMs: null, nameOf: (id) => id }))).toEqual([
    'books: 1, 1',
    'books / publish: 1, 1',
    'books / publish / @leads: 1, 1',
    'total: 1, 1',
    '@leads: 1, 1',
  ]);
  expect(summary.crews()).toEqual(['books', 'research']);
});

it('a quantile is the smallest value that enough of them do not exceed', () => {
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), share, (values, of) => {
      const smallest = quantile(values, of) ?? Number.NaN;
      const upTo = (most: number) => values.filter((value) => value <= most).length;
      expect(upTo(smallest)).toBeGreaterThanOrEqual(of * values.length);
      expect(upTo(smallest - 1)).toBeLessThan(of * values.length);
    }),
  );
});

describe('of decisions after 1, 2, …, 20 minutes', () => {
  const all = Array.from({ length: 20 }, (_, i) => [asked(0), decided(i + 1)]);

  it('the tenth is the median, and the nineteenth the 95th percentile', () => {
    expect(totalOf(all)).toMatchObject({ medianMs: 10 * MINUTE, p95Ms: 19 * MINUTE });
  });

  it.each<[slaMs: number, inTarget: number]>([
    [5 * MINUTE, 5],
    [5 * MINUTE - 1, 4],
    [20 * MINUTE, 20],
  ])('within %d ms are %d', (slaMs, inTarget) => {
    expect(totalOf(all, { slaMs })).toMatchObject({ inTarget });
  });
});

const task = fc.record({ id: fc.constantFrom('a', 'b'), name: fc.constantFrom('draft', 'publish', null) });
const anyApproval = fc.constantFrom('1', '2', '3');
const rule = fc.constantFrom('@leads', '@legal', 'S0LEADS', 'U0JON', 'channel');
const decision = fc.record({
  approval: anyApproval,
  verdict: fc.constantFrom('approve' as const, 'reject' as const, 'decline' as const),
  by: fc.option(rule.map((each) => right(each))),
});
/** What no execution would do, too. */
const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ approval: anyApproval, task }).map((facts) => (at: number) => asked(at, facts)) },
  { weight: 4, arbitrary: decision.map((facts) => (at: number) => decided(at, facts)) },
  { weight: 1, arbitrary: anyApproval.map((each) => (at: number) => undone(at, each)) },
  { weight: 1, arbitrary: anyApproval.map((each) => (at: number) => event('expired', at, { approval: each })) },
  {
    weight: 1,
    arbitrary: fc.record({ approval: anyApproval }).map((facts) => (at: number) => named(at, facts)),
  },
);
const anyRun = fc
  .tuple(fc.constantFrom('books', 'research'), fc.array(fc.tuple(fc.nat(20), happening), { maxLength: 12 }))
  .map(([crew, happenings]): Run => {
    let at = 0;
    return happenings.map(([later, happen]) => {
      at += later;
      const told = happen(at);
      return told.kind === 'asked' ? { ...told, facts: { ...told.facts, crew } } : told;
    });
  });

it('all counts add up to those above them, whatever the order in which runs are read', () => {
  const counts = ({ asked, decided, inTarget, expired, declined }: Row) => [
    asked,
    decided,
    inTarget,
    expired,
    declined,
  ];
  const sum = (rows: readonly Row[]) =>
    rows.map(counts).reduce((total, row) => total.map((count, i) => (count ?? 0) + (row[i] ?? 0)), [0, 0, 0, 0, 0]);
  const orders = fc
    .array(anyRun, { maxLength: 12 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(orders, fc.nat(60), ([all, shuffled], from) => {
      const asking = { since: NOW + from * MINUTE, slaMs: 10 * MINUTE, nameOf: (id: string) => id.toLowerCase() };
      const rows = rowsOf(all, asking);
      expect(rowsOf(shuffled, asking)).toEqual(rows);
      const [total] = rows.filter(({ level }) => level === 'total');
      if (!total) return;
      expect(sum(rows.filter(({ level }) => level === 'crew'))).toEqual(counts(total));
      expect(sum(rows.filter(({ level, crew }) => level === 'approvers' && crew === null))).toEqual(counts(total));
      for (const row of rows) {
        const isBelow = (each: Row, level: Row['level']) => each.level === level && each.crew === row.crew;
        if (row.level === 'crew') expect(sum(rows.filter((each) => isBelow(each, 'task')))).toEqual(counts(row));
        if (row.level === 'task')
          expect(sum(rows.filter((each) => isBelow(each, 'approvers') && each.task === row.task))).toEqual(counts(row));
      }
    }),
    runs({ some: 200, all: 2_000 }),
  );
});

describe('the ledger tells the same', () => {
  const TIMED = { ...RULES.policy, expireAfterMs: 200_000 };
  it.each([
    ['', RULES],
    [' where requests expire', { policy: TIMED, hours: null }],
    [' where they are rejected then', { policy: { ...TIMED, onExpiry: 'reject' as const, undoMs: 0 }, hours: null }],
  ])('as the run knows of its decisions, times and rounds, whatever happens to it%s', (_, rules) => {
    fc.assert(
      fc.property(moves, (history) => {
        const world = history.reduce(after, begin(execution(), START, rules));
        const known = decidedIn(world.execution);
        const told = outcomesOf(world.execution.ledgerEvents);
        expect(told).toHaveLength(world.execution.requests.length);
        for (const request of world.execution.requests) {
          const {
            id,
            question: { askedAt },
          } = request;
          const outcome = told[Number(id) - 1];
          const inRecord = known.find(({ approvalId }) => approvalId === id);
          const isDecided = inRecord !== undefined && isByPeople(inRecord);
          expect(outcome?.askedAt).toBe(askedAt);
          expect(outcome?.expiredAt !== null).toBe(inRecord !== undefined && !isDecided);
          expect(outcome?.decision?.at).toBe(isDecided ? inRecord.decidedAt : undefined);
          expect(outcome?.decision?.verdict).toBe(isDecided ? inRecord.outcome : undefined);
          if (isDecided && inRecord.outcome === 'approve')
            expect(outcome?.rounds).toBe(roundsOf(world.execution, request));
        }
      }),
      runs({ some: 100, all: 1_000 }),
    );
  });
});
