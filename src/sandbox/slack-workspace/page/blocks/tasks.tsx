import type { PlanBlock, TaskCardBlock } from '@slack/types';
import { Icon } from '../shell/icon.tsx';
import { Link } from '../text/mrkdwn.tsx';
import { Group } from './group.tsx';
import { RichTextView } from './rich-text.tsx';

type Status = TaskCardBlock['status'];

const STATUS: { [status in Status]: string } = {
  pending: 'Pending',
  in_progress: 'In progress',
  complete: 'Complete',
  error: 'Failed',
};

/** Tasks of one plan, in a list that folds. https://docs.slack.dev/reference/block-kit/blocks/plan-block */
export function PlanView({ block }: { block: PlanBlock }) {
  const tasks = (block.tasks ?? []).filter(isTask);
  return (
    <details className="card plan" open>
      <summary>
        <strong>{block.title}</strong>
      </summary>
      <ul>
        {tasks.map((task) => (
          <li key={task.task_id}>
            <Task task={task} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** https://docs.slack.dev/reference/block-kit/blocks/task-card-block */
export function TaskCardView({ block }: { block: TaskCardBlock }) {
  return (
    <Group className="card" label={block.title}>
      <Task task={block} />
    </Group>
  );
}

type Task = Pick<TaskCardBlock, 'task_id' | 'title' | 'status' | 'details' | 'output' | 'sources'>;

/** The title alone; what there is to say of it folds out. */
function Task({ task }: { task: Task }) {
  const { title, status, details, output, sources = [] } = task;
  const head = (
    <>
      <StatusIcon status={status} /> {title}
    </>
  );
  if (!details && !output && sources.length === 0) return <p className="task">{head}</p>;
  return (
    <details className="task">
      <summary>{head}</summary>
      <div className="task-body">
        {details && <RichTextView block={details} />}
        {output && <RichTextView block={output} />}
        {sources.length > 0 && (
          <ul className="task-sources" aria-label="Sources">
            {sources.map(({ url, text }) => (
              <li key={url}>
                <Link href={url}>{text}</Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

const ICONS = { pending: 'pending', complete: 'check', error: 'failed' } as const;

function StatusIcon({ status }: { status: Status }) {
  return (
    <span className="task-status" data-status={status} role="img" aria-label={STATUS[status]} title={STATUS[status]}>
      {status === 'in_progress' ? <span className="spinner" /> : <Icon name={ICONS[status]} />}
    </span>
  );
}

/** Slack's types leave open what else a plan may hold. */
function isTask(task: NonNullable<PlanBlock['tasks']>[number]): task is TaskCardBlock {
  return 'task_id' in task && 'title' in task && 'status' in task;
}
