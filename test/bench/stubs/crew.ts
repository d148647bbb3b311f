import { monotonicMs, type StubAnswer, type StubState } from './state.ts';

/** A crew of five tasks that runs forever; the harness sends the webhooks in its name. */
export function answerCrew(state: StubState, path: string, body: string): StubAnswer {
  if (path.startsWith('status/'))
    return { body: { status: 'running', current_task: 'write', progress: { completed_tasks: 0, total_tasks: 5 } } };
  state.busyAt = monotonicMs();
  switch (path) {
    case 'inputs':
      return { body: { inputs: ['topic'] } };
    case 'kickoff':
      state.numbers += 1;
      state.kickoffs.push(body);
      return { body: { kickoff_id: `started-${state.numbers}` } };
    case 'resume':
      if (state.resumeStatus !== 200) return { status: state.resumeStatus, body: { error: 'unavailable' } };
      state.resumed.push({ taskId: /"task_id":"([^"]*)"/.exec(body)?.[1] ?? '', at: state.busyAt, raw: body });
      return { body: { status: 'resumed' } };
  }
  return { status: 404, body: { error: 'not found' } };
}
