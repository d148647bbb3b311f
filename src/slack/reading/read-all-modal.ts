import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { button, buttons, context } from '../ui/blocks.ts';
import { parse, type TextKey, TITLE_LIMIT, textKey, textValue } from '../ui/button-value.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { markdownSource } from '../ui/text/markdown-source.ts';
import { type Page, pagesOf } from '../ui/text/pages.ts';
import { richText } from '../ui/text/rich-text.ts';

/** One page of a text, counted from 0. */
interface ReadAll {
  key: TextKey;
  /** The whole text; null if it is no longer stored. */
  text: string | null;
  page: number;
  /** What is said where it isn't stored. */
  gone?: string | null;
}

/** A whole text in pages. `parsePage` reads the buttons' values. */
export function readAllModal({ key, text, page, gone = null }: ReadAll): ModalView {
  const blocks = text === null ? [context(gone ?? '_The text is no longer stored._')] : pageBlocks(key, text, page);
  return modal({
    callbackId: 'reading',
    title: 'Full text',
    metadata: textValue(key),
    blocks: [context(`*${escapedLine(key.title, TITLE_LIMIT)}*`), ...blocks],
  });
}

function pageBlocks(key: TextKey, text: string, wanted: number): KnownBlock[] {
  const pages = pagesOf(markdownSource(text, READABLE_LENGTH));
  const at = Math.min(Math.max(0, Math.trunc(wanted) || 0), pages.length - 1);
  const page = pages[at];
  const shown = page ? richText(sourceOf(page)) : [];
  const more = at === pages.length - 1 && text.length > READABLE_LENGTH;
  return [
    ...(shown.length > 0 ? shown : [context('_The text is empty._')]),
    ...(more ? [context(restText(key, text))] : []),
    ...(pages.length > 1 ? [context(`Page ${at + 1} of ${pages.length}`)] : []),
    ...buttons(
      at > 0 ? button('read_previous', 'Previous', { value: pageValue(key, at - 1) }) : null,
      at < pages.length - 1 ? button('read_next', 'Next', { value: pageValue(key, at + 1) }) : null,
    ),
  ];
}

function restText({ rest }: TextKey, text: string): string {
  switch (rest) {
    case 'attached':
      return 'The text goes on: the whole of it is attached as a file in the thread.';
    case 'left-out':
      return `The text goes on: it has ${text.length.toLocaleString('en')} characters, more than can be shown here. The crew’s own control panel has all of it.`;
  }
}

/** A page that begins within a code block opens it again. */
function sourceOf({ text, within }: Page): string {
  return within ? `${within.opening}\n${text}` : text;
}

function pageValue(key: TextKey, page: number): string {
  return JSON.stringify({ ...key, title: cut(key.title, TITLE_LIMIT), page });
}

const pageKey = textKey.extend({ page: z.number().int().min(0) });

/** The page that a *Previous* or *Next* button leads to; null if we didn't write the value. */
export function parsePage(value: string | undefined): { key: TextKey; page: number } | null {
  const found = parse(pageKey, value);
  if (!found) return null;
  const { page, ...key } = found;
  return { key, page };
}
