import { describe, expect, it } from 'vitest';
import { endRun, recordTask } from '../../../src/core/execution/run.ts';
import { noteAlive, noteEnd, noteStep, noteTask, type StreamedEnd } from '../../../src/core/execution/stream.ts';
import type { Execution, Run } from '../../../src/core/state/execution.ts';
import { type ExecutionChange, execution, starting } from '../../support/executions.ts';
import { output, pending, START, sending } from '../../support/requests.ts';

const NOW = START + 10_000;
const TASK = { name: 'draft', agent: 'Writer', summary: 'A draft', output: output('A draft'), executionId: 'k1' };
const COMPLETED: StreamedEnd = { kind: 'completed', result: output('All of it') };
const FAILED: StreamedEnd = { kind: 'failed', error: 'Out of tea.' };

/** A decision has been sent: its addresses tell of what comes then. */
const resumed = (change: ExecutionChange = {}) => execution({ hop: 1, ...change });

const end = (before: Execution, told: StreamedEnd) => noteEnd(before, { ...told, executionId: 'k1' }, NOW);

describe('the stream of a run', () => {
  it('tells of a task once, however often and late it comes', () => {
    const once = noteTask(execution(), TASK, NOW);
    expect(once.tasks).toMatchObject([{ name: 'draft', agent: 'Writer' }]);
    expect(noteTask(once, TASK, NOW + 60_000).tasks).toHaveLength(1);
  });

  it('tells of a task under the id that the answer to the kickoff brings later', () => {
    const overtaking = noteTask(starting({ kickoffIds: [] }), TASK, NOW);
    expect(overtaking).toMatchObject({ kickoffIds: ['k1'], run: { status: 'running' } });
    expect(noteTask(overtaking, TASK, NOW).tasks).toHaveLength(1);
  });

  it('tells of steps, in the window that all steps share', () => {
    const first = noteStep(execution(), 'k1', NOW);
    expect(first.activity.refreshAt).toBe(NOW);
    expect(noteStep(first, 'k1', NOW)).toBe(first);
  });

  it('leaves tasks and steps to the addresses of a resume from then on', () => {
    const before = resumed();
    expect(noteTask(before, { ...TASK, executionId: 'k2' }, NOW)).toBe(before);
    expect(noteStep(before, 'k2', NOW)).toBe(before);
    const told = recordTask(before, { hop: 1, kickoffId: 'k2', ...TASK }, NOW);
    expect(noteTask(told, { ...TASK, executionId: 'k2' }, NOW).tasks).toHaveLength(1);
  });

  it('proves no resume, since it was given before', () => {
    const before = resumed({ requests: [sending()] });
    expect(noteAlive(before, 'k2', NOW).requests).toEqual(before.requests);
    expect(noteTask(before, { ...TASK, executionId: 'k2' }, NOW).requests).toEqual(before.requests);
  });

  it('names no run to be polled but the one that was started', () => {
    expect(noteAlive(execution(), 'another', NOW).kickoffIds).toEqual(['k1']);
    expect(noteTask(execution(), { ...TASK, executionId: 'another' }, NOW).kickoffIds).toEqual(['k1']);
  });

  it.each(['lost', 'not-confirmed', 'not-started'] as const)('revives a run that counts as %s', (status) => {
    const runs: Record<typeof status, Run> = {
      lost: { status: 'lost', lostAt: START },
      'not-confirmed': { status: 'not-confirmed', doubt: 'no-answer', since: START },
      'not-started': { status: 'not-started', refusal: { code: 'other', detail: '', missing: [] }, endedAt: START },
    };
    expect(noteAlive(execution({ run: runs[status] }), 'k1', NOW).run).toEqual({ status: 'running' });
  });

  it('changes nothing of a run that has ended', () => {
    const ended = endRun(execution(), { status: 'completed', result: null, endedAt: START }, START);
    expect(noteAlive(ended, 'k1', NOW)).toBe(ended);
    expect(noteTask(ended, TASK, NOW)).toBe(ended);
    expect(noteStep(ended, 'k1', NOW)).toBe(ended);
    for (const told of [COMPLETED, FAILED]) expect(end(ended, told)).toBe(ended);
  });
});

describe('the end that a stream tells', () => {
  it('ends a run in which nobody was asked, with its result or the reason', () => {
    expect(end(execution(), COMPLETED).run).toMatchObject({ status: 'completed', result: output('All of it') });
    expect(end(execution(), FAILED).run).toEqual({ status: 'failed', error: 'Out of tea.', endedAt: NOW });
  });

  it('fails a run whose kickoff isn’t answered yet', () => {
    expect(end(starting({ kickoffIds: [] }), FAILED)).toMatchObject({
      run: { status: 'failed' },
      kickoff: { status: 'settled' },
      kickoffIds: ['k1'],
    });
  });

  it.each([
    ['of which somebody decides', execution({ requests: [pending()] }), COMPLETED],
    ['of which somebody decides', execution({ requests: [pending()] }), FAILED],
    ['that a decision has just resumed', resumed({ requests: [sending()] }), COMPLETED],
    ['that a decision has just resumed', resumed({ requests: [sending()] }), FAILED],
    ['whose result it doesn’t tell', execution(), { kind: 'completed', result: null } as const],
  ])('of a run %s has the status asked for at once, and settles nothing', (_, before, told) => {
    const after = end(before, told);
    expect(after.requests).toEqual(before.requests);
    expect(after.run).toEqual(before.run);
    expect(after.poll).toMatchObject({ nextAt: NOW, count: 0 });
  });

  it('has no status asked for of a run that isn’t polled', () => {
    const { poll } = execution();
    const before = execution({ requests: [pending()], poll: { ...poll, nextAt: null } });
    expect(end(before, COMPLETED)).toBe(before);
  });
});
