import type { KeyboardEvent } from 'react';

/**
 * Keys in a message list. On a message: arrows, Home and End move, `t` or → opens the thread, `m` the menu. Inside a
 * message: Esc returns to the message.
 */
export function moveBetweenMessages(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const message = target.closest<HTMLElement>('[data-ts]');
  if (!message || target.closest('[role="menu"], dialog')) return;
  if (target !== message) {
    if (key === 'Escape') {
      event.stopPropagation();
      message.focus();
    }
    return;
  }
  const messages = [...currentTarget.querySelectorAll<HTMLElement>('[data-ts]')];
  const at = messages.indexOf(message);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: messages.length - 1 }[key];
  if (to !== undefined) {
    event.preventDefault();
    const next = messages[Math.max(0, Math.min(to, messages.length - 1))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
    return;
  }
  const control = { t: '[data-reply]', ArrowRight: '[data-reply]', m: '.toolbar [aria-haspopup]' }[key];
  if (control === undefined) return;
  event.preventDefault();
  message.querySelector<HTMLElement>(control)?.click();
}
