import { monotonicMs, type StubAnswer, type StubState } from './state.ts';

/** A crew that runs forever; the harness sends the webhooks in its name, and may say how far it is. */
export function answerCrew(state: StubState, path: string, body: string): StubAnswer {
  if (path.startsWith('status/')) return { body: statusOf(state, path.slice('status/'.length)) };
  state.busyAt = monotonicMs();
  switch (path) {
    case 'inputs':
      return { body: { inputs: ['topic'] } };
    case 'kickoff':
      state.kickoffs.push(body);
      return { body: { kickoff_id: kickoffId(/"topic":"([^"]*)"/.exec(body)?.[1] ?? '') } };
    case 'resume':
      if (state.resumeStatus !== 200)
        return { status: state.resumeStatus, headers: { 'retry-after': '1' }, body: { error: 'unavailable' } };
      state.resumed.push({ taskId: /"task_id":"([^"]*)"/.exec(body)?.[1] ?? '', at: state.busyAt, raw: body });
      return { body: { status: 'resumed' } };
  }
  return { status: 404, body: { error: 'not found' } };
}

/** The id of the execution with this topic. */
export function kickoffId(topic: string): string {
  return `started-${topic}`;
}

function statusOf({ progress }: StubState, id: string) {
  const [completed, total] = progress.get(id) ?? [0, 1];
  return {
    status: 'running',
    current_task: `task ${completed}`,
    progress: { completed_tasks: completed, total_tasks: total },
  };
}
