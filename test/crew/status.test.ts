import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/values/json.ts';
import { parseStatus } from '../../src/crew/status.ts';

const UNCOUNTED = { completed: null, total: null, current: null };

describe.each(['state', 'status'])('the word in %s', (field) => {
  it.each(['SUCCESS', 'completed', 'Complete'])('%s is a completed run', (word) => {
    expect(parseStatus({ [field]: word })).toEqual({ kind: 'completed', text: null });
  });

  it.each(['FAILED', 'failure', 'Error'])('%s is a failed run', (word) => {
    expect(parseStatus({ [field]: word, error: 'Why' })).toEqual({ kind: 'failed', error: 'Why' });
  });

  it.each(['REVOKED', 'cancelled', 'canceled', 'Stopped', 'TERMINATED', 'aborted', 'killed'])(
    '%s ends the run as a failed one, and is named with the reason',
    (word) => {
      expect(parseStatus({ [field]: word, error: 'Why' })).toEqual({ kind: 'failed', error: `${word}: Why` });
      expect(parseStatus({ [field]: word })).toEqual({ kind: 'failed', error: word });
    },
  );

  it.each(['PAUSED', 'Pending Human Input', 'pending_human_input', 'awaiting-feedback', 'waiting'])(
    '%s is a run that waits for a person',
    (word) => expect(parseStatus({ [field]: word })).toEqual({ kind: 'waiting', ...UNCOUNTED }),
  );

  it.each(['PENDING', 'STARTED', 'RUNNING', 'retrying', 'anything else'])('%s is a run under way', (word) => {
    expect(parseStatus({ [field]: word })).toEqual({ kind: 'running', ...UNCOUNTED });
  });

  it.each(['NOT FOUND', 'not_found', 'Not Found'])('%s is an unknown run', (word) => {
    expect(parseStatus({ [field]: word })).toEqual({ kind: 'not-found' });
  });
});

it('reads the live shape', () => {
  const progress = { completed: 1, total: 3, current: 'draft' };
  expect(parseStatus({ state: 'RUNNING', status: 'Failed to be idle', progress })).toEqual({
    kind: 'running',
    ...progress,
  });
  expect(parseStatus({ state: 'SUCCESS', status: 'ok', result: 'Text', result_json: null })).toEqual({
    kind: 'completed',
    text: 'Text',
  });
  expect(parseStatus({ state: 'FAILED', status: 'ValueError: no', result: null })).toEqual({
    kind: 'failed',
    error: 'ValueError: no',
  });
});

it('reads the shape of the reference', () => {
  const progress = { completed_tasks: 1, total_tasks: 3 };
  expect(parseStatus({ status: 'running', current_task: 'draft', progress })).toEqual({
    kind: 'running',
    completed: 1,
    total: 3,
    current: 'draft',
  });
  expect(parseStatus({ status: 'completed', result: { output: 'Text', tasks: [] } })).toEqual({
    kind: 'completed',
    text: 'Text',
  });
  expect(parseStatus({ status: 'error', error: 'No' })).toEqual({ kind: 'failed', error: 'No' });
});

it('finds the reason of a failure wherever it is', () => {
  expect(parseStatus({ status: 'failed', message: 'A' })).toMatchObject({ error: 'A' });
  expect(parseStatus({ status: 'failed', detail: 'B' })).toMatchObject({ error: 'B' });
  expect(parseStatus({ status: 'failed', error: { message: 'C', trace: 'x' } })).toMatchObject({ error: 'C' });
  expect(parseStatus({ status: 'failed' })).toMatchObject({ error: '' });
});

it('counts nothing that is no count', () => {
  for (const progress of [null, 'half', 0.5, { completed: -1, total: 'x', current: 7 }, { completed: 1.5 }]) {
    expect(parseStatus({ state: 'RUNNING', progress })).toEqual({ kind: 'running', ...UNCOUNTED });
  }
  expect(parseStatus({ state: 'RUNNING', progress: { currentTask: { name: 'x' }, completedTasks: 2 } })).toEqual({
    kind: 'running',
    completed: 2,
    total: null,
    current: 'x',
  });
});

it('is no status where there is no word', () => {
  for (const body of [null, [], 'RUNNING', {}, { state: 7 }, { status: ' ' }, { ok: true }]) {
    expect(parseStatus(body)).toBeNull();
  }
});

it('survives any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('SUCCESS', 'FAILED', 'RUNNING'), (value, state) => {
      const body = JSON.parse(JSON.stringify(value)) as Json;
      parseStatus(body);
      expect(
        parseStatus({ state, status: body, result: body, error: body, progress: body, current_task: body }),
      ).not.toBeNull();
    }),
  );
});
