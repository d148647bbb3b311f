import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { parseSource } from '../support/source-files.ts';
import { promisesPage, testFilesIn } from './promises.ts';

it('The list of promises has each file of tests, with at least one title', () => {
  const files = readdirSync(join(CHECKOUT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`);
  const sections = promisesPage(testFilesIn(CHECKOUT)).split(/^### /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0]).toSorted()).toEqual(files.toSorted());
  for (const section of sections) expect(section).toMatch(/\n- \S/);
});

it('The list of promises names groups, their tests, and the rows of a table of titles', () => {
  const text = `const ROWS = [['A crew hangs', 1], ['A crew lies', 2]];
    describe.concurrent('A click', () => { it('counts once', () => {}); });
    it.each(ROWS)('%s', () => {});
    it.each([1, 2])(\`waits \${most} s, %d times\`, () => {});`;
  expect(promisesPage([parseSource('test/attacks/x.test.ts', text)])).toContain(
    '## attacks\n\n### test/attacks/x.test.ts\n\n- A click\n  - counts once\n- A crew hangs\n- A crew lies\n- waits … s, %d times',
  );
});
