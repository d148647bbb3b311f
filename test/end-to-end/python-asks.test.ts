import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePythonPackages, FOR_TESTS } from '../../src/setup/python.mjs';
import { runAsker } from '../support/asks.ts';
import { startWorld, type World } from '../support/world.ts';

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
  const cwd = fileURLToPath(new URL('../python', import.meta.url));
  const ended = runAsker({ program: python, args: ['rounds.py'], cwd }, { port, crew });

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
  const { out, errors } = await ended;
  expect(errors).toBe('');
  expect(JSON.parse(out)).toEqual([2, 'Tea at one.\n\nBring biscuits.', null, 'Day 17', 'jon-1']);
});
