import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/core/policy/crew.ts';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { CATALOGUES } from '../../src/slack/language/catalogues.ts';
import { sentencesPage } from './sentences-page.ts';

describe('the page with all sentences', () => {
  let page: string;
  let rows: { key: string; cells: string[] }[];

  beforeAll(async () => {
    page = await sentencesPage();
    rows = [...page.matchAll(/<tr><th scope="row">([^<]+)<\/th>(.*?)<\/tr>/gs)].map(([, key = '', cells = '']) => ({
      key,
      cells: cells.split('<td ').slice(1),
    }));
  });

  const cellOf = (key: string, column: number) => {
    const cell = rows.find((row) => row.key === key)?.cells[column] ?? '';
    return [...cell.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text]) => text);
  };

  it.each(LANGUAGES)('has each message of the catalogue %s once', (language) => {
    const shown = rows.flatMap(({ key, cells }) =>
      cells.some((cell) => cell.startsWith(`lang="${language}"`)) ? [key] : [],
    );
    expect(shown.toSorted()).toEqual(Object.keys(CATALOGUES[language]).toSorted());
  });

  it('shows what is made with values as people read it', () => {
    expect(rows.filter(({ cells }) => /\{[^}]*/.test(cells.join('')))).toEqual([]);
    expect(cellOf('duration.days-in-words', 0)).toEqual(['1 day', '3 days', '0 days']);
    expect(cellOf('duration.days-in-words', 1)).toEqual(['1 Tag', '3 Tage', '0 Tage']);
    expect(cellOf('page.of', 0)).toEqual(['Page 1 of 2']);
    expect(cellOf('modal.close', 1)).toEqual(['Schließen']);
  });

  it('is written where the command says, and needs nothing else', () => {
    const args = ['--import', 'tsx', 'test/sentences/main.ts'];
    const path = execFileSync(process.execPath, args, { cwd: CHECKOUT, encoding: 'utf8' });
    expect(readFileSync(path.trim(), 'utf8')).toBe(page);
    expect(page).not.toMatch(/<(script|link|img)|\burl\(/);
  });
});
