import type { AlertBlock, CardBlock, ContainerBlock, HeaderBlock, KnownBlock } from '@slack/types';
import { useState } from 'react';
import type { Block } from '../../people-api.ts';
import { textWithEmoji } from '../text/emoji.ts';
import { TextObjectView } from '../text/mrkdwn.tsx';
import { BlockHeading } from './heading.tsx';
import { RichTextView } from './rich-text.tsx';
import { ActionsView, ContextView, ImageBlockView, ImageView, InputBlockView, SectionView } from './section.tsx';
import { DataTableView, TableView } from './table.tsx';
import { PlanView, TaskCardView } from './tasks.tsx';

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
  if (block.type === 'data_visualization')
    return fetched ? <fetched.ChartView block={block} /> : <Unsupported type={block.type} />;
  return isKnownBlock(block) ? <BlockView block={block} /> : <Unsupported type={block.type} />;
}

function Unsupported({ type }: { type: string }) {
  return <p className="unsupported">A “{type}” block</p>;
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
  return <BlockHeading level={block.level}>{textWithEmoji(block.text)}</BlockHeading>;
}

/**
 * https://docs.slack.dev/reference/block-kit/blocks/container-block
 *
 * It stays as the reader has left it while updates of the message keep its `block_id`, and starts anew with another one:
 * https://github.com/slackapi/node-slack-sdk/issues/2701
 */
function ContainerView({ block }: { block: ContainerBlock }) {
  const [isOpenAtFirst] = useState(block.default_collapsed !== true);
  const { subtitle, icon, width = 'standard' } = block;
  const head = (
    <>
      {icon && <ImageView image={icon} className="container-icon" />}
      <div className="container-titles">
        <div className="container-title">
          {block.rich_text_title ? (
            <RichTextView block={block.rich_text_title} />
          ) : (
            textWithEmoji(block.title ?? { text: '' })
          )}
        </div>
        {subtitle && (
          <div className="container-subtitle">
            <TextObjectView text={subtitle} />
          </div>
        )}
      </div>
    </>
  );
  const children = (
    <div className="blocks">
      {block.child_blocks.map((child, index) => (
        <BlockView key={child.block_id ?? index} block={child} />
      ))}
    </div>
  );
  if (block.is_collapsible)
    return (
      <details className="card container" data-width={width} open={isOpenAtFirst}>
        <summary>{head}</summary>
        {children}
      </details>
    );
  return (
    <section className="card container" data-width={width}>
      <div className="container-head" data-divided={block.has_header_divider === true}>
        {head}
      </div>
      {children}
    </section>
  );
}

function AlertView({ block }: { block: AlertBlock }) {
  return (
    <div className={`alert alert-${block.level ?? 'default'}`}>
      {block.level !== undefined && block.level !== 'default' && (
        <span className="visually-hidden">{LEVELS[block.level]}: </span>
      )}
      <TextObjectView text={block.text} />
    </div>
  );
}

/** The colour alone tells nothing to people who can't see it. */
const LEVELS = { info: 'Information', warning: 'Warning', error: 'Error', success: 'Success' };

function CardView({ block }: { block: CardBlock }) {
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

const KNOWN: { [type in KnownBlock['type']]: true } = {
  actions: true,
  alert: true,
  card: true,
  carousel: true,
  container: true,
  context: true,
  context_actions: true,
  data_table: true,
  divider: true,
  file: true,
  header: true,
  image: true,
  input: true,
  markdown: true,
  plan: true,
  rich_text: true,
  section: true,
  table: true,
  task_card: true,
  video: true,
};

/** The server has validated every block, so checking the type is enough. */
function isKnownBlock(block: { type: string }): block is KnownBlock {
  return block.type in KNOWN;
}

let fetched: (typeof import('../text/markdown.tsx') & typeof import('./chart.tsx')) | undefined;

/**
 * Resolves when the renderers of Markdown and charts have loaded or failed to. They add half the page's size again, so they load
 * while the page connects; rendering before that would make every card jump.
 */
export const renderersLoaded: Promise<void> = Promise.all([import('../text/markdown.tsx'), import('./chart.tsx')]).then(
  ([markdown, chart]) => {
    fetched = { ...markdown, ...chart };
  },
  () => undefined,
);

/** A `markdown` block, or its source if the renderer can't be loaded. */
function MarkdownBlockView({ source }: { source: string }) {
  return fetched ? <fetched.Markdown source={source} /> : <p className="lines">{source}</p>;
}
