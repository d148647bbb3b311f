import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../src/crew/call.ts';
import { createInputsReader, parseInputs } from '../../src/crew/inputs.ts';
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

describe('the answer of a crew', () => {
  it.each([
    ['a list of names', { inputs: ['topic', 'audience'] }],
    ['a list of things with names', { inputs: [{ name: 'topic', type: 'string' }, { name: 'audience' }] }],
    ['an object by name', { inputs: { topic: 'string', audience: {} } }],
    ['a bare list', ['topic', 'audience']],
    ['a wrapped list', { data: { inputs: ['topic', 'audience'] } }],
  ])('reads %s in its order', (_, body) => {
    expect(parseInputs(body)).toEqual({ names: ['topic', 'audience'], skipped: [] });
  });

  it('drops what is named twice and what has no name', () => {
    expect(parseInputs({ inputs: ['b', 'a', 'b', ' a ', 7, null, {}, { name: 1 }] })).toEqual({
      names: ['b', 'a'],
      skipped: [],
    });
  });

  it('skips names that nobody could type, and says which', () => {
    const inputs = ['ok', 'a"b', "it's", 'line\nbreak', '`x`', '__proto__', '', 'x'.repeat(201), 'Zürich 2'];
    expect(parseInputs({ inputs })).toEqual({
      names: ['ok', 'Zürich 2'],
      skipped: ['a"b', "it's", 'line break', '`x`', '__proto__', '', `${'x'.repeat(60)}…`],
    });
  });

  it('knows a crew without inputs', () => {
    expect(parseInputs({ inputs: [] })).toEqual({ names: [], skipped: [] });
    expect(parseInputs({ inputs: {} })).toEqual({ names: [], skipped: [] });
  });

  it('is not fooled by what is no list of inputs', () => {
    for (const body of [null, 'topic', 7, {}, { inputs: null }, { inputs: 'topic' }, { topic: 'string' }]) {
      expect(parseInputs(body)).toBeNull();
    }
  });
});
