import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { UntypedContext } from '../../../src/sandbox/crew-service/coded-crew.ts';
import { defineCrew } from '../../../src/sandbox/crew-service/define-crew.ts';
import type { Json } from '../../../src/sandbox/crew-service/json.ts';

const { signal } = new AbortController();

function context(given: Partial<UntypedContext>): UntypedContext {
  return {
    executionId: 'e1',
    inputs: {},
    round: 1,
    outputs: {},
    feedback: [],
    allFeedback: [],
    previous: undefined,
    signal,
    model: { name: undefined, ask: () => Promise.reject(new Error('not expected')) },
    step: () => Promise.reject(new Error('not expected')),
    ...given,
  };
}

const turn = {
  steps: { done: new Map(), store: () => Promise.reject(new Error('not expected')), tell: () => Promise.resolve() },
};

class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  toJSON() {
    return this.name;
  }
}

const haiku = defineCrew({
  name: 'haiku',
  inputs: {
    topic: z.string().min(1),
    lines: z.coerce.number().int().default(3),
    mood: z.enum(['calm', 'wild']),
    by: z.string().min(2).optional(),
    note: z.string().optional(),
  },
}).task('write', {
  agent: { name: 'Poet', role: 'A poet of few words', goal: 'A haiku that surprises' },
  run: ({ inputs }) => `${inputs.topic}, ${inputs.lines + 1}, ${inputs.mood}`,
});

const right = { topic: 'tea', mood: 'calm' };

describe('a crew', () => {
  it('names its inputs in their order', () => {
    expect(haiku.inputNames).toEqual(['topic', 'lines', 'mood', 'by', 'note']);
  });

  it.each([
    [{ lines: 'x' }, ['topic', 'mood'], [/^lines: /]],
    [{ topic: '', mood: null }, ['topic', 'mood'], []],
    [{ ...right, mood: 'sad' }, [], [/^mood: /]],
    [{ ...right, lines: 'x' }, [], [/^lines: /]],
    // Nobody has to give these: an empty one that the crew doesn't take is wrong, not missing.
    [{ ...right, by: '' }, [], [/^by: Too small/]],
    [{ ...right, by: null, note: null }, [], [/^by: Invalid input/, /^note: Invalid input/]],
  ])('says which inputs are missing and which are wrong: %j', async (given, missing, invalid) => {
    expect(await haiku.checkInputs(given)).toEqual({
      ok: false,
      missing,
      invalid: invalid.map((pattern) => expect.stringMatching(pattern)),
    });
  });

  it.each([right, { ...right, by: 'Bo', note: '' }])('takes %j, where an empty text is a value', async (given) => {
    expect(await haiku.checkInputs(given)).toMatchObject({ ok: true, inputs: { ...given, lines: 3 } });
  });

  it('gives its tasks typed inputs, with defaults', async () => {
    for (const [given, output] of [
      [{ topic: 'tea', lines: '7', mood: 'wild' }, 'tea, 8, wild'],
      [{ topic: 'tea', mood: 'wild' }, 'tea, 4, wild'],
    ] as const) {
      const checked = await haiku.checkInputs(given);
      if (!checked.ok) throw new Error('not expected');
      const { inputs, typed: typedInputs } = checked;
      expect(await haiku.tasks[0]?.run(context({ inputs, typedInputs }), turn)).toEqual({ output });
    }
  });

  it('makes inputs of classes of its own anew for each task', async () => {
    const inputs = { place: z.string().transform((name) => new Place(name)) };
    const run = defineCrew({ name: 'a', inputs }).task('a', { agent: 'A', run: (given) => given.inputs.place.name });
    const checked = await run.checkInputs({ place: 'Rome' });
    expect(checked).toEqual({ ok: true, inputs: { place: 'Rome' }, typed: undefined });
    expect(await run.tasks[0]?.run(context({ inputs: { place: 'Rome' } }), turn)).toEqual({ output: 'Rome' });
  });

  it('may have rules across its inputs', async () => {
    const inputs = z
      .object({ from: z.number(), to: z.number() })
      .refine(({ from, to }) => from < to, 'from must be before to')
      .refine(({ from }) => from >= 0, { path: ['from'], error: 'too early' });
    const trip = defineCrew({ name: 'trip', inputs }).task('go', { agent: 'A', run: (given) => given.inputs.to });
    expect(trip.inputNames).toEqual(['from', 'to']);
    expect(await trip.checkInputs({ from: -1, to: -2 })).toEqual({
      ok: false,
      missing: [],
      invalid: ['from must be before to', 'from: too early'],
    });
  });

  it('describes its agents', () => {
    expect(haiku.tasks[0]).toMatchObject({
      agent: 'Poet',
      role: 'A poet of few words',
      goal: 'A haiku that surprises',
    });
  });

  it('refuses an output that isn’t as it says', async () => {
    const odd: Json = JSON.parse('{ "title": 7 }');
    const crew = defineCrew({ name: 'a', inputs: {} }).task('write', {
      agent: 'A',
      output: z.object({ title: z.string() }),
      run: () => odd as { title: string },
    });
    await expect(crew.tasks[0]?.run(context({}), turn)).rejects.toThrow(
      /^The output of the task "write" isn't as its `output`.*\n.*expected string/,
    );
  });

  it('needs a name that can be part of an address, and tasks that can be told apart', () => {
    const task = { agent: 'A', run: () => '' };
    for (const name of ['Haiku', '', 'a/b', '-a', 'a b'])
      expect(() => defineCrew({ name, inputs: {} })).toThrow(TypeError);
    expect(() => defineCrew({ name: 'a', inputs: {} }).task('a', task).task('a', task)).toThrow('two tasks named "a"');
  });
});

describe('the types of a crew', () => {
  const start = defineCrew({ name: 'typed', inputs: { day: z.coerce.date(), topic: z.string().optional() } });
  const collected = start.task('collect', {
    agent: 'A',
    run: async ({ inputs, step }) => {
      expectTypeOf(inputs).toEqualTypeOf<{ day: Date; topic?: string | undefined }>();
      return { count: await step('Count', () => 3), day: inputs.day.toISOString() };
    },
  });

  it('name what each earlier task returned', () => {
    collected.task('write', {
      agent: 'A',
      run({ outputs }) {
        expectTypeOf(outputs.collect).toEqualTypeOf<{ count: number; day: string }>();
        // @ts-expect-error there is no such task
        return outputs.colect;
      },
    });
    const later = { agent: 'A', run: () => 1 };
    // @ts-expect-error the tasks that come later haven't returned anything
    collected.task('write', { agent: 'A', run: ({ outputs }) => outputs.publish }).task('publish', later);
  });

  it('hand what was rejected and what was approved back to its task', () => {
    const published = collected.task('write', {
      agent: 'A',
      output: z.object({ title: z.string() }),
      run({ previous }) {
        expectTypeOf(previous).toEqualTypeOf<{ title: string } | undefined>();
        return { title: `${previous?.title}!` };
      },
      whenApproved(draft) {
        expectTypeOf(draft).toEqualTypeOf<{ title: string }>();
        return draft.title.length;
      },
    });
    published.task('end', {
      agent: 'A',
      run({ outputs, previous }) {
        expectTypeOf(outputs.write).toEqualTypeOf<number>();
        expectTypeOf(previous).toEqualTypeOf<Json | undefined>();
        return null;
      },
    });
  });

  it('know which outputs there may not be, and what a group returned', () => {
    const grouped = collected.parallel((group) =>
      group
        .task('facts', { agent: 'A', run: ({ outputs }) => outputs.collect.count })
        .task('quotes', { agent: 'A', when: ({ outputs }) => outputs.collect.count > 2, run: () => ['to be'] })
        // @ts-expect-error what runs at the same time hasn't returned anything
        .task('title', { agent: 'A', run: ({ outputs }) => outputs.facts }),
    );
    grouped.task('join', {
      agent: 'A',
      run({ outputs }) {
        expectTypeOf(outputs.facts).toEqualTypeOf<number>();
        expectTypeOf(outputs.quotes).toEqualTypeOf<string[] | undefined>();
        return outputs.collect.day;
      },
    });
    // @ts-expect-error a condition says yes or no
    collected.task('a', { agent: 'A', when: () => 'yes', run: () => 1 });
  });

  it('refuse outputs that JSON can’t hold or that aren’t as the task says', () => {
    // @ts-expect-error JSON has no dates
    start.task('a', { agent: 'A', run: () => new Date(0) });
    // @ts-expect-error it says that it is a text
    start.task('a', { agent: 'A', output: z.string(), run: () => 1 });
  });
});
