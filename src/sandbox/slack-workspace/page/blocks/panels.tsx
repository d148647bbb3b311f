import type { AlertBlock, CardBlock, TaskCardBlock } from '@slack/types';
import { TextObjectView } from '../text/text-object.tsx';
import { ActionsView } from './actions.tsx';
import { ImageView } from './image.tsx';
import { RichTextView } from './rich-text.tsx';

export function AlertView({ block }: { block: AlertBlock }) {
  return (
    <div className={`alert alert-${block.level ?? 'default'}`}>
      {block.level !== undefined && block.level !== 'default' && (
        <span className="visually-hidden">{LEVELS[block.level]}: </span>
      )}
      <TextObjectView text={block.text} />
    </div>
  );
}

/** The colour alone tells nothing to those who can't see it. */
const LEVELS = { info: 'Information', warning: 'Warning', error: 'Error', success: 'Success' };

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
