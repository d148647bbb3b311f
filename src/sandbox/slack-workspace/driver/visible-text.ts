import { chartTable } from '../block-kit/data-visualization.ts';
import { elementsIn } from '../block-kit/interactive.ts';
import { isObject, type Json, type JsonObject, objectAt, objectsAt, stringAt } from '../json.ts';
import type { Attachment, Block, HomeView, Message, OpenView } from '../people-api.ts';

/**
 * The text a person sees in a message: its blocks (or its text, without blocks), its attachments and file titles. All of
 * it, even where the page folds it.
 */
export function visibleText(message: Pick<Message, 'text' | 'blocks' | 'attachments' | 'files'>): string {
  const body = message.blocks.length > 0 ? blocksText(message.blocks) : unescaped(message.text);
  const files = message.files.map((file) => `[file ${file.title}]`);
  return [body, ...(message.attachments ?? []).map(attachmentText), ...files].filter((line) => line !== '').join('\n');
}

/** Returns the text that a person sees in a message before they open anything: a collapsed container shows its title alone. */
export function unopenedText(message: Parameters<typeof visibleText>[0]): string {
  return visibleText({ ...message, blocks: message.blocks.map(unopened) });
}

function unopened(block: Block): Block {
  return block.type === 'container' && block.default_collapsed === true ? { ...block, child_blocks: [] } : block;
}

/** Returns the text in the container with this title; undefined if the blocks have no such container. */
export function textInContainer(blocks: readonly Block[], title: (text: string) => boolean): string | undefined {
  const container = blocks.find((block) => block.type === 'container' && title(containerTitle(block)));
  return container && blocksText(objectsAt(container, 'child_blocks'));
}

function attachmentText(attachment: Attachment): string {
  if (attachment.blocks) return blocksText(attachment.blocks);
  const line = (name: string) => unescaped(stringAt(attachment, name) ?? '');
  const fields = objectsAt(attachment, 'fields').map((field) => `${field.title ?? ''}\n${field.value ?? ''}`);
  const hasMore = ['text', 'title', 'fields', 'image_url', 'thumb_url'].some((name) => name in attachment);
  const text = line(hasMore ? 'text' : 'fallback');
  return [line('pretext'), line('author_name'), line('title'), text, ...fields, line('footer')]
    .filter((part) => part !== '')
    .join('\n');
}

/** The text a person sees in a modal: title, banner, blocks, errors, buttons. */
export function modalText(view: OpenView): string {
  const buttons = [view.submitLabel, view.closeLabel]
    .filter((label) => label !== undefined)
    .map((label) => `[${label}]`);
  const parts = [view.title, view.problem, blocksText(view.blocks), ...Object.values(view.errors), buttons.join(' ')];
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

export function homeText(view: HomeView): string {
  return blocksText(view.blocks);
}

export function blocksText(blocks: readonly Json[]): string {
  return blocks
    .filter(isObject)
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: JsonObject): string {
  switch (block.type) {
    case 'input':
      return [textObject(block.label), ...elementsIn(block).map(elementText), textObject(block.hint)]
        .filter(Boolean)
        .join('\n');
    case 'context':
      return objectsAt(block, 'elements').map(textObject).filter(Boolean).join(' ');
    case 'markdown':
      return unescaped(stringAt(block, 'text') ?? '');
    case 'rich_text':
    case 'table':
      return richText(block);
    case 'data_table':
      return dataTableText(block);
    case 'plan':
      return [stringAt(block, 'title'), ...objectsAt(block, 'tasks').map(taskText)].filter(Boolean).join('\n');
    case 'task_card':
      return taskText(block);
    case 'container':
      return containerText(block);
    case 'data_visualization':
      return chartText(block);
    case 'image':
      return [textObject(block.title), stringAt(block, 'alt_text')].filter(Boolean).join(' ');
    default: {
      const own = [textObject(block.text), ...objectsAt(block, 'fields').map(textObject)];
      return [...own, ...elementsIn(block).map(elementText)].filter(Boolean).join('\n');
    }
  }
}

/** The rows of every page, as in `slack | 12`. */
function dataTableText(block: JsonObject): string {
  const rows = Array.isArray(block.rows) ? block.rows : [];
  const lines = rows.map((row) => (Array.isArray(row) ? row.map((cell) => richText(cell).trim()).join(' | ') : ''));
  return [stringAt(block, 'caption'), ...lines].join('\n');
}

/** Returns a line such as `complete: Group the commits`, followed by the text that folds out. */
function taskText(task: JsonObject): string {
  const head = `${task.status}: ${task.title}`;
  const bodies = [task.details, task.output].map((body) => richText(body ?? '').trim());
  const sources = objectsAt(task, 'sources').map((source) => stringAt(source, 'text'));
  return [head, ...bodies, ...sources].filter(Boolean).join('\n');
}

function containerText(block: JsonObject): string {
  const children = objectsAt(block, 'child_blocks').map(blockText);
  return [containerTitle(block), textObject(block.subtitle), ...children].filter(Boolean).join('\n');
}

function containerTitle(block: JsonObject): string {
  return block.rich_text_title === undefined ? textObject(block.title) : richText(block.rich_text_title).trim();
}

/** The numbers, as the page lists them beside the picture. */
function chartText(block: JsonObject): string {
  const { columns, rows } = chartTable(objectAt(block, 'chart') ?? {});
  const lines = rows.map(
    ({ label, values }) => `${label}: ${values.map((value, i) => `${columns[i]} ${value}`).join(', ')}`,
  );
  return [stringAt(block, 'title'), ...lines].join('\n');
}

/** Buttons appear as `[Approve]`, selects as their options. */
function elementText(element: JsonObject): string {
  const label = textObject(element.text);
  if (label) return `[${label}]`;
  const options = objectsAt(element, 'options').map((option) => textObject(option.text));
  if (options.length > 0) return `(${options.join(' | ')})`;
  const sides = [objectAt(element, 'positive_button'), objectAt(element, 'negative_button')];
  return sides
    .map((side) => (side ? `[${textObject(side.text)}]` : ''))
    .join(' ')
    .trim();
}

export function textObject(value: Json | undefined): string {
  const text = stringAt(value, 'text') ?? '';
  return isObject(value) && value.type === 'mrkdwn' ? unescaped(text) : text;
}

function richText(value: Json): string {
  if (Array.isArray(value)) return value.map(richText).join('');
  if (!isObject(value)) return '';
  const own = stringAt(value, 'text') ?? (value.type === 'user' ? `<@${String(value.user_id)}>` : '');
  const inner = [value.elements, value.rows].map((part) => (part === undefined ? '' : richText(part))).join('');
  const ends = /^rich_text_/.test(String(value.type)) ? '\n' : '';
  return own + inner + ends;
}

/** Decodes Slack's three entities. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
