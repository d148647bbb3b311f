import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutLine } from '../../../src/slack/ui/text/escape.ts';
import type { Row } from '../../../src/tools/report/summary.ts';
import { csvTable, textTable } from '../../../src/tools/report/tables.ts';
import { readCsv } from '../../support/read-csv.ts';

const HOUR = 60 * 60_000;

function row(change: Partial<Row> & Pick<Row, 'level'>): Row {
  return {
    ...{ crew: null, task: null, approvers: null },
    ...{
      asked: 12,
      decided: 10,
      inTarget: 9,
      medianMs: 95_000,
      p95Ms: 26 * HOUR,
      expired: 1,
      declined: 0,
      rounds: 1.25,
    },
    ...change,
  };
}

const NOTHING = {
  asked: 1,
  decided: 0,
  inTarget: 0,
  medianMs: null,
  p95Ms: null,
  expired: 0,
  declined: 0,
  rounds: null,
};

const crew = 'release-notes';
const task = 'publish the release notes';
const ROWS: Row[] = [
  row({ level: 'crew', crew }),
  row({ level: 'task', crew, task }),
  row({ level: 'approvers', crew, task, approvers: '@release-managers' }),
  row({ level: 'approvers', crew, task, approvers: '(undecided)', ...NOTHING }),
  row({ level: 'total', asked: 1_234 }),
  row({ level: 'approvers', approvers: '@release-managers' }),
];

const linesOf = (rows: readonly Row[], sla: string | null = '4h') => textTable(rows, sla, cutLine);

it('a terminal shows names below each other, and figures below their headings', () => {
  expect(linesOf(ROWS)).toEqual([
    '                             asked  decided  within 4h  median   95 %  expired  declined  rounds',
    '',
    'release-notes                   12       10   9 (81 %)  1m 35s  1d 2h        1         0     1.3',
    '  publish the release notes     12       10   9 (81 %)  1m 35s  1d 2h        1         0     1.3',
    '    @release-managers           12       10   9 (81 %)  1m 35s  1d 2h        1         0     1.3',
    '    (undecided)                  1        0          –       –      –        0         0       –',
    '',
    'Total                         1234       10   9 (81 %)  1m 35s  1d 2h        1         0     1.3',
    '  @release-managers             12       10   9 (81 %)  1m 35s  1d 2h        1         0     1.3',
  ]);
});

describe('a table for a terminal', () => {
  it('has no column for a target if there is none', () => {
    expect(linesOf(ROWS, null)[0]).not.toContain('within');
  });

  it('counts what was expired among what missed the target, and never rounds up to all', () => {
    const share = (figures: Partial<Row>) => linesOf([row({ level: 'total', ...figures })]).at(-1);
    expect(share({ inTarget: 9, decided: 9, expired: 1 })).toContain('9 (90 %)');
    expect(share({ inTarget: 999, decided: 1_000, expired: 0 })).toContain('999 (99 %)');
    expect(share({ inTarget: 3, decided: 3, expired: 0 })).toContain('3 (100 %)');
  });

  it.each([
    ['0s', 499],
    ['45s', 45_000],
    ['3m 20s', 200_000],
    ['3m', 180_400],
    ['2h 5m', 2 * HOUR + 359_000],
    ['3d 4h', 76 * HOUR],
    ['3d', 72 * HOUR + 120_000],
    ['365d', 365 * 24 * HOUR],
  ])('says %s for %d ms', (told, medianMs) => {
    expect(linesOf([row({ level: 'total', medianMs })]).at(-1)).toContain(`  ${told}  `);
  });

  it.each([
    ['a task with a name that does not fit', 'a task with a name that do…'],
    ['承認', '承認'],
    ['公開の前に必ず承認してください', '公開の前に必ず承認して…'],
    ['e\u0301te\u0301', 'e\u0301te\u0301'],
    ['🎉 party', '🎉 party'],
    ['שלום', '\u2068שלום\u2069'],
    ['\u001b[2Jdraft\nand more', '[2Jdraft and more'],
  ])('shows %j in the width that there is', (name, shown) => {
    const [heading = '', , , line = ''] = linesOf([
      row({ level: 'crew', crew }),
      row({ level: 'task', crew, task: name }),
    ]);
    const cells = [...line].reduce(
      (sum, each) =>
        sum + (/[\u3040-\u30ff\u4e00-\u9fff🎉]/u.test(each) ? 2 : /[\u0301\u2068\u2069]/.test(each) ? 0 : 1),
      0,
    );
    expect(line).toContain(`  ${shown}  `);
    expect(cells).toBe(heading.length);
  });

  it('has a line for each row, whatever tasks are called', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 })), (names) => {
        const lines = linesOf(names.map((name) => row({ level: 'task', crew, task: name })));
        expect(lines).toHaveLength(names.length + 1);
        expect(lines.join('')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('comma-separated values', () => {
  it('have a line for each row, with durations in seconds', () => {
    expect(readCsv(csvTable(ROWS, true))).toEqual([
      ['level', 'crew', 'task', 'approvers', 'asked', 'decided', 'within_target', 'median_seconds'].concat(
        ...['p95_seconds', 'expired', 'declined', 'rounds'],
      ),
      ['crew', crew, '', '', '12', '10', '9', '95', '93600', '1', '0', '1.3'],
      ['task', crew, task, '', '12', '10', '9', '95', '93600', '1', '0', '1.3'],
      ['approvers', crew, task, "'@release-managers", '12', '10', '9', '95', '93600', '1', '0', '1.3'],
      ['approvers', crew, task, '(undecided)', '1', '0', '0', '', '', '0', '0', ''],
      ['total', '', '', '', '1234', '10', '9', '95', '93600', '1', '0', '1.3'],
      ['approvers', '', '', "'@release-managers", '12', '10', '9', '95', '93600', '1', '0', '1.3'],
    ]);
  });

  it('have no column for a target if there is none', () => {
    const [heading = [], first] = readCsv(csvTable(ROWS, false));
    expect(heading).not.toContain('within_target');
    expect(first).toHaveLength(heading.length);
  });

  it.each([
    ['=HYPERLINK("http://evil.example","draft")', `'=HYPERLINK("http://evil.example","draft")`],
    ['+1+1', "'+1+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'=1"],
    ['\r\n=1', "'=1"],
    ['＝1', "'＝1"],
    ['draft; =1', "draft; '=1"],
    ['say "yes", or no', 'say "yes", or no'],
    ['two\nlines', 'two lines'],
    ['a - b = c', 'a - b = c'],
  ])('have no formula in %j', (name, cell) => {
    const [, line] = readCsv(csvTable([row({ level: 'task', crew, task: name })], true));
    expect(line?.[2]).toBe(cell);
  });

  it('can be read back, whatever tasks are called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const [heading = [], ...lines] = readCsv(csvTable([row({ level: 'task', crew, task: name })], true));
        expect(lines.map((line) => line.length)).toEqual([heading.length]);
        expect(lines[0]?.[2]).not.toMatch(/(^|;)\s*[=+\-@＝＋－＠]|\p{Cc}/u);
      }),
    );
  });
});
