import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { ensurePythonPackages, FOR_TESTS } from '../../src/setup/python.mjs';
import { runAsker } from '../support/asks.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let bot: Bot;
let folder: string;
let python: string;

beforeAll(async () => {
  python = await ensurePythonPackages('python', FOR_TESTS);
  folder = await mkdtemp(join(tmpdir(), 'signoff-asks-'));
  world = await startWorld({ fixtures: 4 });
  bot = await world.startBot();
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const TITLE = 'Deploy 1.4';
const TEXT = 'All checks are **green** & "quoted".';

/** Runs an example; people decide as they are told to. Resolves to what it printed, and how it ended. */
async function runs(
  example: { program: string; args: readonly string[] },
  { fixture, decide }: { fixture: Fixture; decide: 'approve' | 'reject' },
) {
  const cwd = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
  const ended = runAsker({ ...example, cwd }, { port: bot.port, crew: fixture.crew });
  const card = await fixture.card(`Approval needed: ${TITLE}`);
  if (decide === 'approve') await fixture.approve(card);
  else {
    await fixture.jon.click('Reject…', { in: card });
    await fixture.jon.fill('Reason', 'Not on a Friday.');
    await fixture.jon.submit();
  }
  return ended;
}

describe.concurrent('an example of the documentation', () => {
  const inPython = () => ({ program: python, args: ['ask.py', TITLE, TEXT] });
  const inTypeScript = () => ({ program: process.execPath, args: ['--import', 'tsx', 'ask.ts', TITLE, TEXT] });

  it.each([
    ['Python', inPython, /^jon-\d approved\.\n$/],
    ['TypeScript', inTypeScript, /^approved by jon-\d\n$/],
  ])('in %s asks, waits, and ends as people have decided', async (_, example, said) => {
    const fixture = await world.fixture();
    expect(await runs(example(), { fixture, decide: 'approve' })).toEqual({
      out: expect.stringMatching(said),
      errors: '',
      code: 0,
    });
  });

  it('in Python says why people have rejected', async () => {
    const fixture = await world.fixture();
    expect(await runs(inPython(), { fixture, decide: 'reject' })).toEqual({
      out: expect.stringMatching(/^jon-\d rejected: Not on a Friday\.\n$/),
      errors: '',
      code: 1,
    });
  });

  it('with curl does the same with what a file says', async () => {
    const fixture = await world.fixture();
    const file = join(folder, 'ask.json');
    await writeFile(file, JSON.stringify({ policy: fixture.crew, title: TITLE, text: TEXT, id: 'deploy-1.4' }));
    const { out, errors, code } = await runs({ program: 'sh', args: ['ask.sh', file] }, { fixture, decide: 'approve' });
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
    expect(JSON.parse(out)).toMatchObject({ decision: 'approved', by: { id: fixture.jon.id } });
  });
});
