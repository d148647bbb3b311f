// Shows the tasks of a run as a plan. https://docs.slack.dev/reference/block-kit/blocks/plan-block
import type { PlanBlock, TaskCardBlock } from '@slack/types';
import type { PlannedTask, PlannedTaskState } from '../../../core/execution/plan.ts';
import type { Say } from '../../language/say.ts';
import { cutLine, withoutBrackets } from '../../ui/text/escape.ts';

/** Fifty of them fit into a message, which takes about 13,000 characters in all. */
const NAME_LIMIT = 80;
const WHO_LIMIT = 100;

interface PlanDetails {
  title: string;
  /** Names the people who can decide a request, without notifying them. Plain text. */
  whoFor: (approvalId: string) => string;
  say: Say;
}

/** Returns null while no task is known. */
export function planBlock(tasks: readonly PlannedTask[], { title, whoFor, say }: PlanDetails): PlanBlock | null {
  if (tasks.length === 0) return null;
  const cards = tasks.map(({ name, state }, i): TaskCardBlock => {
    const task = cutLine(name ?? '', NAME_LIMIT) || say('plan.unnamed');
    const cardTitle = withoutBrackets(titleOf(state, { task, whoFor, say }));
    return { type: 'task_card', task_id: String(i + 1), title: cardTitle, status: STATUSES[state.kind] };
  });
  return { type: 'plan', title, tasks: cards };
}

const STATUSES = {
  done: 'complete',
  working: 'in_progress',
  waiting: 'pending',
  undelivered: 'error',
  undecided: 'error',
  declined: 'error',
  failed: 'error',
} as const satisfies Record<PlannedTaskState['kind'], TaskCardBlock['status']>;

/** Returns the title of a task with its state in words: Slack shows the status only as a symbol, and folds details away. */
function titleOf(
  state: PlannedTaskState,
  { task, whoFor, say }: { task: string } & Pick<PlanDetails, 'whoFor' | 'say'>,
): string {
  switch (state.kind) {
    case 'waiting':
      return say('plan.waiting', { task, who: cutLine(whoFor(state.approvalId), WHO_LIMIT) });
    case 'undelivered':
    case 'undecided':
    case 'declined':
      return say(`plan.${state.kind}`, { task });
    case 'done':
    case 'working':
    case 'failed':
      return task;
  }
}
