// What a reader of the sandbox's page sees of a card before they open anything, and how high it is.
import type { Locator } from 'playwright-core';

export interface MeasuredCard {
  heightPx: number;
  /** Without what is folded, collapsed, or scrolled out of sight. */
  text: string;
}

/** Waits for the card, and looks at it. */
export function measureCard(card: Locator): Promise<MeasuredCard> {
  return card.evaluate((shown) => {
    const page = shown.ownerDocument;
    const { NodeFilter, innerWidth, getComputedStyle } = page.defaultView;
    const lines: string[] = [];
    let last = null;
    const texts = page.createTreeWalker(shown.querySelector('.blocks'), NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      let block = text.parentElement;
      if (!block.checkVisibility() || block.closest('.visually-hidden')) continue;
      let [left, right, top, bottom] = [0, innerWidth, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let around = block; around !== shown; around = around.parentElement) {
        if (getComputedStyle(around).overflow === 'visible') continue;
        const box = around.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      while (getComputedStyle(block).display === 'inline') block = block.parentElement;
      if (block !== last) lines.push('');
      last = block;
      // Languages without spaces have pieces in place of words.
      for (const { 0: piece, index } of text.data.matchAll(/\s+|\S{1,12}/g)) {
        const range = page.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + piece.length);
        const isSeen = [...range.getClientRects()].some((box) => {
          const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
          return x > left && x < right && y > top && y < bottom;
        });
        if (isSeen || piece.trim() === '') lines.push(`${lines.pop()}${piece}`);
      }
    }
    return { heightPx: Math.ceil(shown.getBoundingClientRect().height), text: lines.join('\n') };
  });
}

/** Whether these words are missing from what a card shows, however it breaks its lines. */
export function lacks(text: string, words: string): boolean {
  return !oneLine(text).includes(oneLine(words));
}

function oneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ');
}
