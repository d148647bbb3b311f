import type { Step } from '../../core/execution/events.ts';
import type { Progress, Run } from '../../core/execution/execution.ts';
import type { RootModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { escapedLine } from '../ui/text/escape.ts';

export interface LatestStep {
  latestStep: Step | null;
}

/** How many tasks are done, and what an agent is doing; empty if nothing is known. Escaped mrkdwn. */
export function progressLine(
  { run, progress, openCard, unfollowed }: RootModel,
  { latestStep, say }: LatestStep & { say: Say },
): string {
  const isLive = !unfollowed && (run.status === 'running' || (run.status === 'waiting' && !openCard));
  const activity = latestStep ? stepWords(latestStep, say) : escapedLine(progress.current ?? '', 200);
  return [tasksDone(run, progress, say), isLive ? activity : ''].filter(Boolean).join(' · ');
}

/** An agent's step on one line: who did what. */
function stepWords({ agent, tool, thought, result }: Step, say: Say): string {
  const who = agent ? `${escapedLine(agent, 60)}: ` : '';
  if (tool) return `${who}${say('run.uses-tool', { tool: escapedLine(tool, 60) })}`;
  const done = thought ?? result;
  return `${who}${done === null ? say('run.works') : escapedLine(done, 150)}`;
}

/** Crews don't report every task, so a completed run may seem short of its total: then no count is shown. */
function tasksDone({ status }: Run, { completed, total }: Progress, say: Say): string {
  if (total !== null && (status !== 'completed' || completed >= total))
    return say('run.tasks-done-of', { done: completed, count: total });
  return completed === 0 || total !== null ? '' : say('run.tasks-done', { count: completed });
}
