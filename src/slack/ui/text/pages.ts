import { type CodeFence, openFenceAfter } from './code-fence.ts';
import { sensibleEnd } from './sensible-end.ts';

/** Small enough that a page with as much formatting as it can hold stays within `VIEW_BYTES`. */
const PAGE_LENGTH = 8_000;

/** One page of a long text. */
export interface Page {
  text: string;
  /** The code block that the page begins in. */
  within: CodeFence | null;
}

/** The pages of a text, cut at sensible places; joined they are the whole text. An empty text has one empty page. */
export function pagesOf(text: string): Page[] {
  const pages: Page[] = [];
  let within: CodeFence | null = null;
  let rest = text;
  do {
    const page = rest.slice(0, sensibleEnd(rest, PAGE_LENGTH));
    pages.push({ text: page, within });
    within = openFenceAfter(page, within);
    rest = rest.slice(page.length);
  } while (rest !== '');
  return pages;
}
