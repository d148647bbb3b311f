import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCredentials } from '../../src/crew/credentials.ts';
import { ensurePythonPackages, FOR_TESTS } from '../../src/setup/python.mjs';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

let world: World;
let python: string;
let port: number;

beforeAll(async () => {
  python = await ensurePythonPackages('python', FOR_TESTS);
  world = await startWorld({ fixtures: 1 });
  ({ port } = await world.startBot());
});
afterAll(() => world.stop());

it('A program in Python asks in rounds, gets the text that people edited, and the outcome that they chose from many', async () => {
  const { crew, channel, jon } = await world.fixture();
  const program = spawn(python, ['rounds.py'], {
    cwd: fileURLToPath(new URL('../python', import.meta.url)),
    env: {
      PATH: process.env.PATH ?? '',
      SIGNOFF_URL: `http://127.0.0.1:${port}`,
      SIGNOFF_ASK_TOKEN: createCredentials([TEST_SECRET]).askToken(crew),
      SIGNOFF_POLICY: crew,
    },
  });
  const said = Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);

  const first = await jon.sees(channel, 'Tea at noon.');
  await jon.click('Reject…', { in: first });
  await jon.fill('Reason', 'Bring biscuits.');
  await jon.submit();
  const second = await jon.seesInThread(first, 'Round 2');
  await jon.click('Edit…', { in: second });
  await jon.fill('Text', 'Tea at one.\n\nBring biscuits.');
  await jon.submit();
  await jon.seesModal('Your edits');
  await jon.choose('What happens next', 'Approve with these edits');
  await jon.submit();

  const days = await jon.sees(channel, 'Which day?');
  await jon.choose('Choose an answer', 'Day 17', { in: days });
  const [out, errors] = await said;
  expect(errors).toBe('');
  expect(JSON.parse(out)).toEqual([2, 'Tea at one.\n\nBring biscuits.', null, 'Day 17', 'jon-1']);
});
