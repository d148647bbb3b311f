import type { ContainerBlock, HeaderBlock, KnownBlock, PlanBlock } from '@slack/types';
import type { Block } from '../../people-api.ts';
import { textWithEmoji } from '../text/text-with-emoji.ts';
import { ActionsView } from './actions.tsx';
import { ChartView } from './chart/chart-view.tsx';
import { ContextView } from './context.tsx';
import { ImageBlockView } from './image.tsx';
import { InputBlockView } from './input-block.tsx';
import { isKnownBlock } from './known-block.ts';
import { MarkdownBlockView } from './markdown-block.tsx';
import { AlertView, CardView, TaskCardView } from './panels.tsx';
import { RichTextView } from './rich-text.tsx';
import { SectionView } from './section.tsx';
import { DataTableView, TableView } from './table.tsx';

export function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <div className="blocks">
      {blocks.map((block) => (
        <AnyBlockView key={block.block_id} block={block} />
      ))}
    </div>
  );
}

function AnyBlockView({ block }: { block: Block }) {
  // Slack's types lack it.
  if (block.type === 'data_visualization') return <ChartView block={block} />;
  return isKnownBlock(block) ? <BlockView block={block} /> : <p className="unsupported">A “{block.type}” block</p>;
}

function BlockView({ block }: { block: KnownBlock }) {
  switch (block.type) {
    case 'section':
      return <SectionView block={block} />;
    case 'actions':
    case 'context_actions':
      return <ActionsView block={block} />;
    case 'context':
      return <ContextView block={block} />;
    case 'divider':
      return <hr />;
    case 'header':
      return <HeaderView block={block} />;
    case 'image':
      return <ImageBlockView block={block} />;
    case 'input':
      return <InputBlockView block={block} />;
    case 'markdown':
      return <MarkdownBlockView source={block.text} />;
    case 'rich_text':
      return <RichTextView block={block} />;
    case 'table':
      return <TableView block={block} />;
    case 'data_table':
      return <DataTableView block={block} />;
    case 'alert':
      return <AlertView block={block} />;
    case 'card':
      return <CardView block={block} />;
    case 'carousel':
      return (
        <div className="carousel">
          {block.elements.map((card, index) => (
            <CardView key={card.block_id ?? index} block={card} />
          ))}
        </div>
      );
    case 'container':
      return <ContainerView block={block} />;
    case 'plan':
      return <PlanView block={block} />;
    case 'task_card':
      return <TaskCardView block={block} />;
    case 'file':
      return <p className="unsupported">Remote file {block.external_id}</p>;
    case 'video':
      return <p className="unsupported">Video: {block.title.text}</p>;
  }
}

/** Slack's types lack the level. https://docs.slack.dev/reference/block-kit/blocks/header-block */
function HeaderView({ block }: { block: HeaderBlock & { level?: number } }) {
  return (
    <h4 className="header-block" data-level={block.level}>
      {textWithEmoji(block.text)}
    </h4>
  );
}

function ContainerView({ block }: { block: ContainerBlock }) {
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

function PlanView({ block }: { block: PlanBlock }) {
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
