import type { AlertBlock, CardBlock, ContainerBlock, PlanBlock, TaskCardBlock } from '@slack/types';
import { TextObjectView } from '../text/text-object.tsx';
import { ActionsView } from './actions.tsx';
import { BlockView } from './block.tsx';
import { ImageView } from './image.tsx';
import { isKnownBlock } from './known-block.ts';
import { RichTextView } from './rich-text.tsx';

export function AlertView({ block }: { block: AlertBlock }) {
  return (
    <div className={`alert alert-${block.level ?? 'default'}`}>
      <TextObjectView text={block.text} />
    </div>
  );
}

export function CardView({ block }: { block: CardBlock }) {
  return (
    <section className="card">
      {block.hero_image && <ImageView image={block.hero_image} className="block-image" />}
      {block.title && <TextObjectView text={block.title} />}
      {block.subtitle && <TextObjectView text={block.subtitle} />}
      {block.body && <TextObjectView text={block.body} />}
      {block.actions && (
        <ActionsView block={{ type: 'actions', elements: block.actions, block_id: block.block_id ?? '' }} />
      )}
    </section>
  );
}

export function ContainerView({ block }: { block: ContainerBlock }) {
  const title = block.title?.text ?? 'Details';
  const children = block.child_blocks.map((child, index) => <BlockView key={child.block_id ?? index} block={child} />);
  if (!block.is_collapsible) return <section className="card">{children}</section>;
  return (
    <details className="card" open={!block.default_collapsed}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

const STATUS = { pending: '○', in_progress: '◐', complete: '●', error: '⚠' };

export function TaskCardView({ block }: { block: TaskCardBlock }) {
  return (
    <section className="card">
      <p>
        <span role="img" aria-label={block.status.replace('_', ' ')}>
          {STATUS[block.status]}
        </span>{' '}
        {block.title}
      </p>
      {block.details && <RichTextView block={block.details} />}
      {block.output && <RichTextView block={block.output} />}
    </section>
  );
}

export function PlanView({ block }: { block: PlanBlock }) {
  return (
    <section className="card">
      <p>
        <strong>{block.title}</strong>
      </p>
      {block.tasks?.map((task, index) => {
        const child: { type?: unknown } = task;
        const typed = { ...child, type: String(child.type) };
        // biome-ignore lint/suspicious/noArrayIndexKey: tasks are identified by position
        return isKnownBlock(typed) ? <BlockView key={index} block={typed} /> : null;
      })}
    </section>
  );
}
