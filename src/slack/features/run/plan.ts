// The tasks of a run as Slack shows a plan. https://docs.slack.dev/reference/block-kit/blocks/plan-block
import type { PlanBlock, RichTextBlock, TaskCardBlock } from '@slack/types';
import type { PlannedTask, PlannedTaskState } from '../../../core/execution/plan.ts';
import type { Say } from '../../language/say.ts';
import { cutLine, withoutBrackets } from '../../ui/text/escape.ts';

/** Fifty of them fit into a message, which takes about 13,000 characters in all. */
const TITLE_LIMIT = 80;
const WHO_LIMIT = 200;

interface PlanDetails {
  title: string;
  /** Who can decide a request, in words that notify nobody; plain text. */
  whoFor: (approvalId: string) => string;
  say: Say;
}

/** Null while no task is known. */
export function planBlock(tasks: readonly PlannedTask[], { title, whoFor, say }: PlanDetails): PlanBlock | null {
  if (tasks.length === 0) return null;
  const cards = tasks.map(({ name, state }, i): TaskCardBlock => {
    const detail = detailOf(state, { whoFor, say });
    return {
      type: 'task_card',
      task_id: String(i + 1),
      title: withoutBrackets(cutLine(name ?? '', TITLE_LIMIT)) || say('plan.unnamed'),
      status: STATUSES[state.kind],
      ...(detail !== null && { details: richText(detail) }),
    };
  });
  return { type: 'plan', title: cutLine(title, TITLE_LIMIT), tasks: cards };
}

const STATUSES = {
  done: 'complete',
  working: 'in_progress',
  waiting: 'pending',
  undelivered: 'error',
  undecided: 'error',
  failed: 'error',
} as const satisfies Record<PlannedTaskState['kind'], TaskCardBlock['status']>;

function detailOf(state: PlannedTaskState, { whoFor, say }: Pick<PlanDetails, 'whoFor' | 'say'>): string | null {
  switch (state.kind) {
    case 'waiting':
      return say('plan.waiting', { who: cutLine(whoFor(state.approvalId), WHO_LIMIT) });
    case 'undelivered':
      return say('plan.undelivered');
    case 'undecided':
      return say('plan.undecided');
    case 'done':
    case 'working':
    case 'failed':
      return null;
  }
}

function richText(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}
