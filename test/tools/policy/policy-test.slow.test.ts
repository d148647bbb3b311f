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
  ...readFileSync('docs/who-decides/test-rules.md', 'utf8').matchAll(/^```yaml\n((?:crews|groups):[\s\S]*?)^```/gm),
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

describe('the recipe by which only two people approve publish', () => {
  const [, recipe = ''] =
    /Only these two people approve \*publish\*[^\n]*\n\n```yaml\n([\s\S]*?)^```/m.exec(
      readFileSync('docs/who-decides.md', 'utf8'),
    ) ?? [];
  const header = 'crews:\n  - name: release\n    base_url: https://release.example.com\n    token: t\n';
  const crews = write('recipe.yml', `${header}${recipe}`);
  const people = 'groups: { channel: [U0PIA, U0ANN] }\nguests: [U0GUEST]\n';

  it.each<[what: string, of: string]>([
    ['one of them publishes', '{ task: publish, user: U0123ABC, expect: approved }'],
    ['the other one, too', '{ task: publish, user: U0456DEF, expect: approved }'],
    ['nobody else publishes', '{ task: publish, user: U0PIA, expect: refused, because: not-approver }'],
    ['nor rejects', '{ task: publish, user: U0PIA, verdict: reject, expect: refused, because: not-approver }'],
    ['nor declines', '{ task: publish, user: U0PIA, verdict: decline, expect: refused, because: not-approver }'],
    ['nor after any time', '{ task: publish, escalated: true, user: U0PIA, expect: refused, because: not-approver }'],
    ['nor whoever has started the run', '{ task: publish, starter: U0PIA, user: U0PIA, expect: refused }'],
    ['nor a guest', '{ task: publish, user: U0GUEST, expect: refused }'],
    ['nor where the crew calls it otherwise', '{ task: Release the notes, user: U0PIA, expect: refused }'],
    ['nor where it only begins like the easier one', '{ task: drafts, user: U0PIA, expect: refused }'],
    ['nor where the task is unknown', '{ user: U0PIA, expect: refused, because: not-approver }'],
    ['where one of the two can', '{ user: U0123ABC, expect: approved }'],
    ['the channel approves drafts', '{ task: draft, user: U0PIA, expect: approved }'],
  ])('%s', async (what, of) => {
    const file = write('recipe-cases.yml', `${people}cases:\n  - ${of.replace('{', `{ name: "${what}",`)}\n`);
    expect(await test([file, '--crews', crews])).toEqual({ code: 0, out: '1 case: all as expected.\n', errors: '' });
  });

  it('lets them pass it on to nobody', async () => {
    const { out } = await run([programPath('policy'), 'explain', '--crews', crews], {});
    expect(out).toContain('- Nobody can be added as an approver, and nobody stands in for people who are away.');
  });
});

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
