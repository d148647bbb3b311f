import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/values/json.ts';
import { parseCrew, parseStep, parseTask } from '../../../src/crew/webhooks/events.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('a completed task', () => {
  const live = {
    name: 'draft',
    description: 'Write a draft',
    expected_output: 'Text',
    summary: 'Wrote a draft...',
    agent: 'Writer',
    output: 'The whole draft',
    output_json: null,
    kickoff_id: 'K1',
    meta: {},
  };
  const read = {
    kind: 'task',
    kickoffId: 'K1',
    taskId: null,
    name: 'draft',
    agent: 'Writer',
    summary: 'Wrote a draft...',
    output: 'The whole draft',
  };

  it('is read as deployed services tell it', () => expect(parseTask(live)).toEqual(read));

  it('is read as older ones told it', () => {
    const older = {
      kickoff_id: 'K1',
      task_id: 'T1',
      status: 'completed',
      output: 'Text',
      agent: 'A',
      execution_time: 2,
    };
    expect(parseTask(older)).toEqual({
      ...read,
      ...{ taskId: 'T1', name: null, agent: 'A', summary: 'Text', output: 'Text' },
    });
  });

  it('is read wrapped and in camel case', () => {
    const camel = {
      taskId: 'T1',
      taskName: 'draft',
      agent: { role: 'Writer' },
      taskOutput: 'The whole draft',
      kickoffId: 'K1',
    };
    expect(parseTask({ event: 'task', data: camel })).toEqual({ ...read, taskId: 'T1', summary: 'The whole draft' });
  });

  it('is summed up by its first lines where it says nothing better', () => {
    const output = '# Title\n\nFirst\nSecond\nThird';
    expect(parseTask({ name: 'draft', output })).toMatchObject({ summary: '# Title\nFirst\nSecond', output });
  });

  it('may carry its output as an object, or none', () => {
    expect(parseTask({ name: 'a', output: null, output_json: { x: 1 } })).toMatchObject({ output: '{\n  "x": 1\n}' });
    expect(parseTask({ name: 'a' })).toMatchObject({ output: null, summary: '' });
  });
});

describe('a step', () => {
  it('is read with its texts cut', () => {
    const step = {
      prompt: 'secret',
      thought: 'Hm\n',
      tool: 'search',
      tool_input: { q: 'x' },
      result: 'y'.repeat(9_999),
    };
    expect(parseStep({ ...step, kickoff_id: 'K1' })).toEqual({
      kind: 'step',
      kickoffId: 'K1',
      step: { agent: null, thought: 'Hm', tool: 'search', toolInput: '{ "q": "x" }', result: `${'y'.repeat(500)}…` },
    });
  });

  it('is read in camel case, with what is empty left out', () => {
    expect(parseStep({ body: { thought: '', tool: null, toolInput: 'x', kickoffId: 'K1' } })).toEqual({
      kind: 'step',
      kickoffId: 'K1',
      step: { agent: null, thought: null, tool: null, toolInput: 'x', result: null },
    });
  });
});

describe('the end of a crew', () => {
  it('is read with its result as text', () => {
    const live = { kickoff_id: 'K1', result: 'Done', result_json: null, token_usage: { total_tokens: 1 }, meta: {} };
    expect(parseCrew(live)).toEqual({ kind: 'completed', kickoffId: 'K1', result: 'Done' });
  });

  it('prefers the result as an object, shown as JSON', () => {
    expect(parseCrew({ result: '{"a": 1}', result_json: { a: 1 } })).toMatchObject({ result: '{\n  "a": 1\n}' });
  });

  it('is read wrapped, aliased and empty', () => {
    expect(parseCrew({ payload: { resultJson: [1], kickoffId: 'K' } })).toMatchObject({
      kickoffId: 'K',
      result: '[\n  1\n]',
    });
    expect(parseCrew({ result: { output: 'Text', tasks: [] } })).toMatchObject({ result: 'Text' });
    expect(parseCrew({})).toEqual({ kind: 'completed', kickoffId: null, result: null });
  });

  it('is a failure where it says so', () => {
    const failed = { kickoff_id: 'K1', status: 'failed', error: 'No <b>model</b>' };
    expect(parseCrew(failed)).toEqual({ kind: 'failed', kickoffId: 'K1', error: 'No model' });
    expect(parseCrew({ execution_id: 'E1', status: 'completed', result: 'x' })).toMatchObject({ kind: 'completed' });
  });
});

it('takes an empty notification as proof that the run is alive', () => {
  for (const body of [null, [], 'x', {}, { data: 1 }]) {
    expect(parseTask(body)).toEqual({ kind: 'bare', kickoffId: null });
    expect(parseStep(body)).toEqual({ kind: 'bare', kickoffId: null });
  }
  expect(parseStep({ data: { kickoff_id: 'K1' } })).toEqual({ kind: 'bare', kickoffId: 'K1' });
});

it('survives any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
      const body = JSON.parse(JSON.stringify(value)) as Json;
      for (const each of [body, { data: body }, { output: body, result: body, progress: body, status: body }]) {
        parseTask(each);
        parseStep(each);
        parseCrew(each);
      }
    }),
  );
});
