import type { ActionsBlock, Button, KnownBlock, ModalView } from '@slack/types';
import type { NextStep } from '../../core/state/execution.ts';
import type { Say } from '../language/say.ts';
import type { DisplayedModal, Paged, SubmittedModal } from './action-ids.ts';
import { button, buttons, context, plain, type Rendered, rendered, section } from './blocks.ts';
import { approvalValue } from './button-value.ts';
import { MODAL_TITLE_LIMIT, OPTION_LIMIT } from './limits.ts';

// Builds modals, and pages of long content in them. Most features use it.

type ModalOptions = {
  title: string;
  blocks: KnownBlock[];
  /** Default: *Cancel* for a form, *Close* for a window without one. */
  close?: string;
  metadata?: string;
} & ({ callbackId: SubmittedModal; submit?: string } | { callbackId: DisplayedModal; submit?: never });

export function modal(say: Say, { callbackId, title, blocks, submit, close, metadata }: ModalOptions): ModalView {
  const closing = close ?? say(submit === undefined ? 'modal.close' : 'modal.cancel');
  return {
    type: 'modal',
    callback_id: callbackId,
    title: plain(title, MODAL_TITLE_LIMIT),
    close: plain(closing, MODAL_TITLE_LIMIT),
    ...(submit !== undefined && { submit: plain(submit, MODAL_TITLE_LIMIT) }),
    ...(metadata !== undefined && { private_metadata: metadata }),
    // Closing it must not bring back a form whose start is on its way.
    ...(callbackId === 'kickoff_progress' && { clear_on_close: true }),
    blocks,
  };
}

interface Answer {
  title: string;
  /** mrkdwn in which foreign text is escaped already. */
  text: string;
  more?: readonly KnownBlock[];
}

export function answerModal(say: Say, { title, text, more = [] }: Answer): ModalView {
  return modalOf(say, { title, blocks: [section(text), ...more] });
}

export function modalOf(say: Say, { title, blocks }: { title: string; blocks: KnownBlock[] }): ModalView {
  return modal(say, { callbackId: 'answer', title, blocks });
}

export function answerMessage(text: string, more: readonly KnownBlock[] = []): Rendered {
  return rendered(text, [section(text), ...more]);
}

/** A page of a long text in a modal, counted from 0. */
interface Turning {
  at: number;
  count: number;
  of: Paged;
  /** Returns the value of the button that leads to a page. */
  valueFor: (page: number) => string;
  /** The page before the first of these pages, and the one after the last. */
  before?: number | null;
  after?: number | null;
}

/** Returns the existing page that is nearest to the requested one. */
export function pageWithin(page: number, count: number): number {
  return Math.min(Math.max(0, Math.trunc(page) || 0), Math.max(0, count - 1));
}

/** Returns the items of the page that is nearest to the requested one. An empty list has one page. */
export function pageOf<Item>(items: readonly Item[], { wanted, size }: { wanted: number; size: number }) {
  const count = Math.max(1, Math.ceil(items.length / size));
  const at = pageWithin(wanted, count);
  return { shown: items.slice(at * size, (at + 1) * size), at, count };
}

/** Returns `Page 2 of 5` with the buttons to the pages beside it; nothing for a single page. */
export function pageTurning(say: Say, turning: Turning): KnownBlock[] {
  const turns = pageButtons(say, turning);
  return turns.length === 0 ? [] : [context(say('page.of', { page: turning.at + 1, count: turning.count })), ...turns];
}

/** Returns the buttons to the pages beside a page; nothing for a single page. */
export function pageButtons(
  say: Say,
  { at, count, of, valueFor, before = null, after = null }: Turning,
): ActionsBlock[] {
  const previous = at > 0 ? at - 1 : before;
  const next = at < count - 1 ? at + 1 : after;
  return buttons(
    previous === null ? null : button(`${of}_previous`, say('page.previous'), { value: valueFor(previous) }),
    next === null ? null : button(`${of}_next`, say('modal.next'), { value: valueFor(next) }),
  );
}

export function nextStepButtons(next: NextStep, say: Say): KnownBlock[] {
  switch (next.kind) {
    case 'none':
      return [];
    case 'ask':
      return buttons(button('ask_approvers', say('ask.button'), { value: approvalValue({ ...next, hash: null }) }));
    case 'withdraw':
      // The window then shows the request in place of this answer.
      return buttons(button('withdraw', say('card.withdraw'), { value: approvalValue({ ...next, isRead: true }) }));
    case 'connect':
      return buttons(connectButton(next.crew, say));
  }
}

export function connectButton(crew: string, say: Say): Button {
  return button('connect_token', say('token.button'), { value: crew.slice(0, OPTION_LIMIT), style: 'primary' });
}
