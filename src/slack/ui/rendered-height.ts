// Estimates how high blocks are on a screen, in px, so that a card fits it. The estimate is mostly a little too high: Slack's letters have
// other widths than those of the sandbox's page, by which it was measured.
import type { ActionsBlock, KnownBlock, RichTextBlock } from '@slack/types';
import { columnsOf } from './text/columns.ts';
import { piecesOf } from './text/pieces.ts';

/** A screen: the number of characters on a line of each kind of text, and sizes in px. */
export interface Screen {
  columns: number;
  codeColumns: number;
  smallColumns: number;
  headerColumns: number;
  width: number;
  buttonHeight: number;
}

/** A channel on a screen that is 1,280 px wide. */
export const DESK: Screen = {
  columns: 94,
  codeColumns: 89,
  smallColumns: 104,
  headerColumns: 72,
  width: 720,
  buttonHeight: 32,
};
/** A thread on a phone that is 390 px wide. */
export const PHONE: Screen = {
  columns: 39,
  codeColumns: 36,
  smallColumns: 45,
  headerColumns: 28,
  width: 324,
  buttonHeight: 40,
};

const LINE = 21.9;
const SMALL_LINE = 19;
const HEADER_LINE = 23.4;
/** The space between blocks, and between the parts of a markdown block. */
const GAP = 8;
/** The space around the lines of code, and around the text in a row of a table. */
const CODE_PADDING = 30;
const ROW_PADDING = 8;
/** The space below code is part of its padding. */
const AFTER_CODE = -3;

/** A button's padding on both sides, and the width of a letter of its label. */
const BUTTON_PADDING = 28;
const BUTTON_LETTER = 8;
/** The width of an element that isn't a button: a menu. */
const MENU_WIDTH = 44;
/** The space above and below the title of a container. */
const FRAME = 2 * 11;

/** Digits and capitals are a third wider than most letters. */
const BROAD = /[A-Z\dmw@%&]/g;

function widthOf(text: string): number {
  return columnsOf(text) + (text.match(BROAD)?.length ?? 0) / 3;
}

/** Returns the number of lines that a text takes, with `columns` columns each. */
export function linesOf(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line) => sum + wrapped(line, columns), 0);
}

function wrapped(line: string, columns: number): number {
  if (line.length * 2 <= columns) return 1;
  let lines = 1;
  let left = columns;
  for (const word of line.split(' ')) {
    const width = widthOf(word);
    if (width > left && left < columns) {
      lines += 1;
      left = columns;
    }
    // A longer word, and a text without spaces, continue on the next line.
    if (width > left) lines += Math.ceil((width - left) / columns);
    left = width > left ? columns - ((width - left) % columns) - 1 : left - width - 1;
  }
  return lines;
}

/** Marks of Markdown, which Slack hides. */
const MARKS = /\*\*|__|~~|`/g;

/** Removes marks from a text; marks without words between them stay visible. */
function withoutMarks(text: string): string {
  const words = text.replace(MARKS, '');
  return words.length * 2 < text.length ? text : words;
}

/** Returns the height of a markdown block. Every line break counts, as it does in Slack. */
export function markdownHeight(markdown: string, { columns, codeColumns }: Screen): number {
  let height = 0;
  let before: string | null = null;
  for (const { kind, start, end } of piecesOf(markdown)) {
    const text = markdown.slice(start, end).trimEnd();
    // A piece of kind `line` is a line of code.
    const isOpening = kind === 'line' && FENCE.test(text);
    const goesOn = before === kind && (kind === 'item' || kind === 'row' || (kind === 'line' && !isOpening));
    if (before !== null && !goesOn) height += before === 'line' ? AFTER_CODE : GAP;
    switch (kind) {
      case 'paragraph':
        height += LINE * linesOf(withoutMarks(text), columns);
        break;
      case 'item':
        height += LINE * itemLines(text, columns);
        break;
      case 'heading':
        height += HEADER_LINE * linesOf(text.replace(/^[\s#]+/, ''), Math.floor(columns * 0.75));
        break;
      case 'row':
        height += rowHeight(text, columns);
        break;
      case 'line':
        height += (isOpening ? CODE_PADDING : 0) + SMALL_LINE * codeLines(text, codeColumns);
        break;
      case 'rule':
        height += 1;
    }
    before = kind;
  }
  return height;
}

const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/;

function itemLines(text: string, columns: number): number {
  const indent = Math.floor((/^\s*/.exec(text)?.[0].length ?? 0) / 2);
  const words = withoutMarks(text.trimStart()).replace(/^(?:[-*+]|\d+[.)])\s+/, '');
  return linesOf(words, Math.max(10, columns - 3 * (indent + 1)));
}

/** Returns the height of rows of a table. The first row includes the head of the table and its rule. */
function rowHeight(text: string, columns: number): number {
  const rows = text.split('\n').filter((row) => !/^[\s|:-]+$/.test(row));
  const lines = rows.map((row) => {
    const cells = row
      .replace(/^\s*\||\|\s*$/g, '')
      .split('|')
      .map((cell) => withoutMarks(cell).trim());
    const all = cells.reduce((sum, cell) => sum + cell.length + 3, 0);
    return Math.max(1, Math.ceil(all / columns));
  });
  return lines.reduce((sum, count) => sum + LINE * count + ROW_PADDING, 0);
}

function codeLines(text: string, columns: number): number {
  const lines = text.split('\n').filter((line) => !FENCE.test(line));
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / columns)), 0);
}

export function blocksHeight(blocks: readonly KnownBlock[], screen: Screen): number {
  return blocks.reduce((sum, block) => sum + blockHeight(block, screen) + GAP, 0) - (blocks.length > 0 ? GAP : 0);
}

function blockHeight(block: KnownBlock, screen: Screen): number {
  switch (block.type) {
    case 'header':
      return HEADER_LINE * linesOf(block.text.text, screen.headerColumns);
    case 'section': {
      const columns = block.accessory ? Math.floor(screen.columns * 0.7) : screen.columns;
      const text = LINE * linesOf(visibleText(block.text?.text ?? ''), columns);
      return Math.max(text, block.accessory ? screen.buttonHeight : 0);
    }
    case 'context': {
      const texts = block.elements.map((element) => ('text' in element ? visibleText(element.text) : ''));
      return texts.reduce((sum, text) => sum + SMALL_LINE * linesOf(text, screen.smallColumns), 0);
    }
    case 'actions':
      return buttonRows(block.elements, screen) * (screen.buttonHeight + GAP) - GAP;
    case 'rich_text':
      return richTextHeight(block, screen);
    case 'markdown':
      return markdownHeight(block.text, screen);
    case 'divider':
      // A divider has margins of its own.
      return GAP + 1;
    case 'container':
      return (
        FRAME +
        LINE * linesOf(block.title?.text ?? '', screen.columns - CHEVRON) +
        (block.subtitle ? SMALL_LINE : 0) +
        (block.default_collapsed ? 0 : openHeight(block.child_blocks, screen))
      );
    default:
      return LINE;
  }
}

/** The columns beside the title of a container that its arrow takes. */
const CHEVRON = 8;

function openHeight(blocks: readonly KnownBlock[], screen: Screen): number {
  return GAP + blocksHeight(blocks, { ...screen, columns: screen.columns - 4 });
}

/** A longer name than most. */
const MENTION = '@Maria Alvarez-Silva';

/** Returns mrkdwn as it is seen: a date, a mention or a link is as long as its label. */
function visibleText(mrkdwn: string): string {
  return mrkdwn
    .replace(/<!date[^>|]*\|([^>]*)>/g, '$1')
    .replace(/<[@#!][^>]*>/g, MENTION)
    .replace(/<[^>|]*\|([^>]*)>/g, '$1')
    .replace(/<([^>]*)>/g, '$1')
    .replace(/&(?:amp|lt|gt);/g, '&')
    .replace(/[*_`]/g, '');
}

function buttonRows(elements: ActionsBlock['elements'], { width }: Screen): number {
  let rows = 1;
  let left = width;
  for (const element of elements) {
    const own = element.type === 'button' ? BUTTON_PADDING + BUTTON_LETTER * element.text.text.length : MENU_WIDTH;
    if (own > left && left < width) {
      rows += 1;
      left = width;
    }
    left -= own + GAP;
  }
  return rows;
}

function richTextHeight({ elements }: RichTextBlock, { columns, codeColumns }: Screen): number {
  let height = 0;
  for (const element of elements) {
    switch (element.type) {
      case 'rich_text_list': {
        const own = Math.max(10, columns - 3 * ((element.indent ?? 0) + 1));
        height += element.elements.reduce((sum, item) => sum + LINE * linesOf(textOf(item.elements), own), 0);
        break;
      }
      case 'rich_text_preformatted':
        height += CODE_PADDING + SMALL_LINE * codeLines(textOf(element.elements), codeColumns);
        break;
      case 'rich_text_quote':
        height += GAP + LINE * linesOf(textOf(element.elements), columns - 2);
        break;
      case 'rich_text_section':
        height += LINE * linesOf(textOf(element.elements).replace(/\n$/, ''), columns);
    }
  }
  return height;
}

function textOf(elements: readonly object[]): string {
  return elements
    .map((element) => {
      if (!('text' in element) || typeof element.text !== 'string') return MENTION;
      // Bold letters are wider.
      const isBold = 'style' in element && JSON.stringify(element.style).includes('"bold":true');
      return `${element.text}${isBold ? '\u00a0'.repeat(Math.ceil(element.text.length / 8)) : ''}`;
    })
    .join('');
}
