// `npm run policy -- test`, as a program.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../support/audit-program.ts';
import { programPath } from '../../support/program-path.ts';

const folder = mkdtempSync(join(tmpdir(), 'signoff-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The examples of the documents: a crews file, and its cases. */
const [crewsFile = '', cases = ''] = [
  ...readFileSync('docs/who-decides.md', 'utf8').matchAll(/^```yaml\n((?:crews|groups):[\s\S]*?)^```/gm),
].map(([, text = '']) => text);
const CREWS = join(folder, 'crews.yml');
writeFileSync(CREWS, crewsFile);

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Runs the command with nothing in its environment but this. */
function test(args: string[], env: Record<string, string> = {}) {
  return run([programPath('policy'), 'test', ...args], env);
}

describe('testing rules', () => {
  const file = write('cases.yml', cases);

  it('takes the example of the documents as it is, without any setting', async () => {
    expect(await test([file, '--crews', CREWS])).toEqual({ code: 0, out: '6 cases: all as expected.\n', errors: '' });
  });

  it('takes the crews file of the bot, whose secrets it doesn’t need', async () => {
    expect(await test([file], { CREWS_FILE: CREWS })).toMatchObject({ code: 0, errors: '' });
  });

  it('ends with 1 if a case isn’t as expected, and says what happens instead', async () => {
    const changed = write('stricter.yml', crewsFile.replace('quorum: 2', 'quorum: 3'));
    const { code, out, errors } = await test([file, '--crews', changed]);
    const line = cases.split('\n').findIndex((each) => each.includes('takes two directors')) + 1;
    expect({ code, errors }).toEqual({ code: 1, errors: '' });
    expect(out).toContain(
      `✗ line ${line}, a large payment takes two directors: expected approved, but it counts, and 1 more has to approve.\n` +
        "    This condition holds: `inputs.amount > 5000 && inputs.env == 'prod'` (stricter.yml, line 15)\n",
    );
    expect(out).toMatch(/\n6 cases: 2 not as expected\.\n$/);
  });

  it.each<[string, () => string[], string]>([
    [
      'no crews file',
      () => [file],
      'Give --crews with a crews file, or set CREWS_FILE, or CREW_NAME for a single crew.\n',
    ],
    [
      'a crews file that isn’t there',
      () => [file, '--crews', '/nowhere.yml'],
      "/nowhere.yml can't be read: there is no such file.\n",
    ],
    [
      'cases that aren’t there',
      () => ['/nowhere.yml', '--crews', CREWS],
      "/nowhere.yml can't be read: there is no such file.\n",
    ],
    [
      'a mistake in the cases',
      () => [write('typo.yml', cases.replace('crew: payments', 'crew: payment')), '--crews', CREWS],
      "typo.yml, line 7, cases[0].crew isn't a crew; did you mean payments?\n",
    ],
    [
      'a mistake in the crews file',
      () => [file, '--crews', write('mistake.yml', crewsFile.replace('quorum: 2', 'quorom: 2'))],
      "mistake.yml, line 16, crews[0].approval.tasks[0].when[0].quorom isn't a setting; did you mean quorum?\n",
    ],
    [
      'a variable that names who decides',
      () => [file, '--crews', write('variable.yml', crewsFile.replace('"@directors"', '"$' + '{DIRECTORS}"'))],
      "variable.yml, line 13, crews[0].approval.tasks[0].approvers[0] names the variable DIRECTORS, which isn't set.\n",
    ],
  ])('ends with 2 for %s', async (_, args, told) => {
    const { code, out, errors } = await test(args());
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors.endsWith(told)).toBe(true);
  });
});
