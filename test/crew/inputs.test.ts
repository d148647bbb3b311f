import { expect, it } from 'vitest';
import type { CallOutcome } from '../../src/crew/call.ts';
import { createInputsReader } from '../../src/crew/inputs.ts';
import { crew } from './crew-values.ts';

const CREW = crew({ name: 'research' });
const SLOW = new Promise<CallOutcome>(() => {});

const naming = (...inputs: string[]): Promise<CallOutcome> =>
  Promise.resolve({ kind: 'answered', status: 200, headers: {}, text: JSON.stringify({ inputs }) });

const names = (names: string[]) => expect.objectContaining({ kind: 'inputs', names });

/** A crew that gives these answers one after another. */
function answering(answers: Promise<CallOutcome>[], memory: { freshMs: number; patienceMs: number }) {
  const left = [...answers];
  return createInputsReader(() => left.shift() ?? SLOW, memory);
}

it('asks a crew again when what it said is old', async () => {
  const inputs = answering([naming('topic'), naming('topic', 'audience')], { freshMs: 0, patienceMs: 5_000 });
  expect(await inputs.read(CREW)).toEqual(names(['topic']));
  expect(await inputs.read(CREW)).toEqual(names(['topic', 'audience']));
});

it('makes do with what a crew said before when it has become slow', async () => {
  const inputs = answering([naming('topic'), SLOW, SLOW], { freshMs: 0, patienceMs: 20 });
  for (const _ of [1, 2]) expect(await inputs.read(CREW)).toEqual(names(['topic']));
});

it('asks only once while what it said is fresh', async () => {
  const inputs = answering([naming('topic'), naming('audience')], { freshMs: 60_000, patienceMs: 20 });
  await inputs.read(CREW);
  expect(await inputs.read(CREW)).toEqual(names(['topic']));
  inputs.forget(CREW.name);
  expect(await inputs.read(CREW)).toEqual(names(['audience']));
});
