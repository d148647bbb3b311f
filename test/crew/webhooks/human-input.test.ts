import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/values/json.ts';
import { parseJsonBody } from '../../../src/crew/payload.ts';
import { parseHumanInput } from '../../../src/crew/webhooks/human-input.ts';
import { anyCharacter } from '../../support/any-character.ts';

const READ = {
  kind: 'human-input',
  kickoffId: 'K1',
  executionId: 'E1',
  taskId: 'T1',
  taskName: null,
  output: 'A draft',
  metaRef: null,
};

const live = { kickoff_id: 'K1', execution_id: 'E1', task_id: 'T1', task_output: 'A draft', meta: {} };
const camel = { kickoffId: 'K1', executionId: 'E1', taskId: 'T1', taskOutput: 'A draft' };

describe('reads a request for human input', () => {
  it('as the specification names its contents', () => {
    const { kickoff_id: _, meta: __, ...spec } = live;
    expect(parseHumanInput(spec)).toEqual({ ...READ, kickoffId: null });
  });

  it('as deployed services send it', () => expect(parseHumanInput(live)).toEqual(READ));

  it('in camel case', () => expect(parseHumanInput(camel)).toEqual(READ));

  it.each(['data', 'body', 'payload'])('wrapped in %s', (wrapper) => {
    expect(parseHumanInput({ event: 'human_input', [wrapper]: live })).toEqual(READ);
    expect(parseHumanInput({ [wrapper]: camel })).toEqual(READ);
  });

  it('with the ids outside of what wraps the rest', () => {
    const { execution_id, kickoff_id, ...inner } = live;
    expect(parseHumanInput({ execution_id, kickoff_id, data: inner })).toEqual(READ);
  });

  it.each(['output', 'result', 'raw'])('with the output as %s', (name) => {
    const { task_output, ...rest } = live;
    expect(parseHumanInput({ ...rest, [name]: task_output })).toEqual(READ);
  });

  it('with the name of the task', () => {
    for (const name of ['task_name', 'taskName', 'name']) {
      expect(parseHumanInput({ ...live, [name]: 'write <b>it</b>\n' })).toMatchObject({ taskName: 'write it' });
    }
  });

  it('with our own reference in its meta', () => {
    expect(parseHumanInput({ ...live, meta: { signoff_ref: 'abc' } })).toMatchObject({ metaRef: 'abc' });
    for (const meta of [null, 'abc', [], { signoff_ref: 7 }, { other: 'abc' }]) {
      expect(parseHumanInput({ ...live, meta })).toMatchObject({ metaRef: null });
    }
  });

  it('with a number for an id', () => {
    expect(parseHumanInput({ ...live, task_id: 12 })).toMatchObject({ taskId: '12' });
  });

  it('that has no ids but that of its task', () => {
    expect(parseHumanInput({ task_id: 'T1', task_output: 'x' })).toMatchObject({ kickoffId: null, executionId: null });
  });
});

describe('shows the output', () => {
  const shown = (task_output: Json) => {
    const parsed = parseHumanInput({ ...live, task_output });
    return parsed.kind === 'human-input' ? parsed.output : null;
  };

  it('as indented JSON where it is an object or a list', () => {
    expect(shown({ title: 'A', parts: [1, null] })).toBe('{\n  "title": "A",\n  "parts": [\n    1,\n    null\n  ]\n}');
    expect(shown(['a'])).toBe('[\n  "a"\n]');
  });

  it('as it is where it is empty, nothing, a number or a truth', () => {
    expect([shown(''), shown(null), shown(0), shown(false)]).toEqual(['', '', '0', 'false']);
  });

  it('without halves of characters, which nobody could store', () => {
    expect(shown('a\ud800b 😀 \udc00')).toBe('a\ufffdb 😀 \ufffd');
    expect(shown({ '\ud800': '\ud800' })).toBe('{\n  "\\ud800": "\\ud800"\n}');
  });

  it('whole, also where it is enormous', () => {
    const text = 'All work and no play.\n'.repeat(300_000);
    expect(shown(text)).toBe(text);
  });

  it('without letting the indentation of hostile JSON grow beyond all bounds', () => {
    const deep = `${'['.repeat(90)}${Array(20_000).fill('1').join(',')}${']'.repeat(90)}`;
    const body = parseJsonBody(`{"task_id":"T","output":${deep}}`);
    const parsed = parseHumanInput(body?.value ?? null);
    expect(parsed.kind === 'human-input' && parsed.output.length).toBeLessThan(deep.length * 10);
  });
});

describe('says what it saw where it can not read it', () => {
  it.each([
    ['no task', { execution_id: 'E1', task_output: 'x' }],
    ['no output', { execution_id: 'E1', task_id: 'T1' }],
    ['a task id that is no id', { task_id: { id: 'T1' }, task_output: 'x' }],
    ['a blank task id', { task_id: '  ', task_output: 'x' }],
    ['a task id as long as a book', { task_id: 'T'.repeat(301), task_output: 'x' }],
    ['it wrapped twice', { data: { data: live } }],
  ])('with %s', (_, body) => {
    expect(parseHumanInput(body)).toEqual({ kind: 'unsupported', keys: Object.keys(body) });
  });

  it('with no object at all', () => {
    for (const body of [null, 'text', 7, [], [live]]) {
      expect(parseHumanInput(body)).toEqual({ kind: 'unsupported', keys: [] });
    }
  });

  it('in names that are safe to show', () => {
    const keys = parseHumanInput(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`<b>${i}\n`, i])));
    expect(keys).toMatchObject({ keys: expect.arrayContaining(['0', '1']) });
    expect(keys.kind === 'unsupported' && keys.keys.length).toBe(20);
  });
});

it('takes nothing from prototypes', () => {
  const body = parseJsonBody('{"__proto__":{"task_id":"T1","task_output":"x"},"constructor":{"task_id":"T1"}}');
  expect(parseHumanInput(body?.value ?? null)).toMatchObject({ kind: 'unsupported' });
  const wrapped = parseJsonBody('{"data":{"__proto__":{"task_id":"T1"},"task_output":"x"}}');
  expect(parseHumanInput(wrapped?.value ?? null)).toMatchObject({ kind: 'unsupported' });
  expect(Object.hasOwn(Object.prototype, 'task_id')).toBe(false);
});

it('survives any JSON, and always gives text that can be stored', () => {
  const keys = fc.constantFrom('task_id', 'taskId', 'task_output', 'output', 'data', 'meta', 'execution_id', 'name');
  const anything = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 2 }),
      fc.dictionary(keys, tie('tree')),
    ) as fc.Arbitrary<Json>,
  })).tree;
  fc.assert(
    fc.property(anything, (body) => {
      const parsed = parseHumanInput(body);
      if (parsed.kind === 'unsupported') return;
      expect(parsed.taskId).not.toBe('');
      expect(Buffer.from(parsed.output, 'utf8').toString('utf8')).toBe(parsed.output);
    }),
  );
});
