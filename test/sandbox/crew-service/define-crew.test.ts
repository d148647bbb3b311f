import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCrew, type TaskContext } from '../../../src/sandbox/crew-service/define-crew.ts';
import type { JsonObject } from '../../../src/sandbox/crew-service/json.ts';

const { signal } = new AbortController();

function context(inputs: JsonObject): TaskContext<JsonObject> {
  return {
    executionId: 'e1',
    inputs,
    round: 1,
    outputs: [],
    feedback: [],
    allFeedback: [],
    previous: undefined,
    signal,
    step: () => Promise.reject(new Error('not expected')),
  };
}

const haiku = defineCrew({
  name: 'haiku',
  inputs: { topic: z.string().min(1), lines: z.coerce.number().int().default(3), mood: z.enum(['calm', 'wild']) },
  tasks: [
    { name: 'write', agent: 'Poet', run: ({ inputs }) => `${inputs.topic}, ${inputs.lines + 1}, ${inputs.mood}` },
  ],
});

describe('a crew', () => {
  it('names its inputs in their order', () => {
    expect(haiku.inputNames).toEqual(['topic', 'lines', 'mood']);
  });

  it('says which inputs are missing and which are wrong', () => {
    expect(haiku.checkInputs({ topic: 'tea', mood: 'calm' })).toEqual({ missing: [], invalid: [] });
    expect(haiku.checkInputs({ lines: 'x' })).toEqual({
      missing: ['topic', 'mood'],
      invalid: [expect.stringMatching(/^lines: /)],
    });
    expect(haiku.checkInputs({ topic: '', mood: null }).missing).toEqual(['topic', 'mood']);
    expect(haiku.checkInputs({ topic: 'tea', mood: 'sad' }).invalid).toEqual([expect.stringMatching(/^mood: /)]);
  });

  it('gives its tasks typed inputs, with defaults', async () => {
    expect(await haiku.tasks[0]?.run(context({ topic: 'tea', lines: '7', mood: 'wild' }))).toBe('tea, 8, wild');
    expect(await haiku.tasks[0]?.run(context({ topic: 'tea', mood: 'wild' }))).toBe('tea, 4, wild');
  });

  it('needs a name that can be part of an address, and tasks that can be told apart', () => {
    const tasks = [{ name: 'a', agent: 'A', run: () => '' }] as const;
    for (const name of ['Haiku', '', 'a/b', '-a', 'a b'])
      expect(() => defineCrew({ name, inputs: {}, tasks })).toThrow(TypeError);
    expect(() => defineCrew({ name: 'a', inputs: {}, tasks: [...tasks, ...tasks] })).toThrow('two tasks named "a"');
  });
});
