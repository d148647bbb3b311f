import type { KnownBlock } from '@slack/types';
import type { Say } from '../language/say.ts';
import type { ActionId } from './action-ids.ts';
import { button, buttons, context } from './blocks.ts';

/** Which page of a long text a modal shows, counted from 0. */
interface Turning {
  at: number;
  count: number;
  previous: ActionId;
  next: ActionId;
  /** What a button carries that leads to a page. */
  valueFor: (page: number) => string;
}

/** The page that is wanted, or else the nearest that there is. */
export function pageWithin(wanted: number, count: number): number {
  return Math.min(Math.max(0, Math.trunc(wanted) || 0), Math.max(0, count - 1));
}

/** `Page 2 of 5` with the buttons that lead to the pages before and after it; nothing for a single page. */
export function pageTurning(say: Say, { at, count, previous, next, valueFor }: Turning): KnownBlock[] {
  if (count <= 1) return [];
  return [
    context(say('page.of', { page: at + 1, count })),
    ...buttons(
      at > 0 ? button(previous, say('page.previous'), { value: valueFor(at - 1) }) : null,
      at < count - 1 ? button(next, say('page.next'), { value: valueFor(at + 1) }) : null,
    ),
  ];
}
