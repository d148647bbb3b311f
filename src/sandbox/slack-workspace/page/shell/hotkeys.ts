import { useEffect, useRef } from 'react';
import type { Channel } from '../../people-api.ts';
import { navigate } from '../state/use-route.ts';

type Hotkeys = {
  channels: Channel[];
  place: string | undefined;
  toggleWire(): void;
  openHelp(): void;
  closeSidebar(): void;
};

/** Keys that work anywhere on the page, except while a dialog is open. */
export function useHotkeys(hotkeys: Hotkeys): void {
  const latest = useRef(hotkeys);
  latest.current = hotkeys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      if (handle(event, latest.current)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function handle(event: KeyboardEvent, { channels, place, toggleWire, openHelp, closeSidebar }: Hotkeys): boolean {
  const { key, altKey, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (key === 'Escape') closeSidebar();
  if (key === 'F6') return moveRegion(shiftKey ? -1 : 1);
  if (altKey && (key === 'ArrowDown' || key === 'ArrowUp'))
    return moveChannel(channels, place, key === 'ArrowDown' ? 1 : -1);
  if (isCommand && key === '.') return done(toggleWire);
  if (isTyping(event.target) || isCommand || altKey) return false;
  if (key === '?') return done(openHelp);
  return key === '/' && beginCommand();
}

function done(action: () => void): true {
  action();
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** Returns false so that the browser types the `/` into the composer. */
function beginCommand(): false {
  document.querySelector<HTMLElement>('.main .composer textarea')?.focus();
  return false;
}

function moveRegion(step: 1 | -1): true {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter((region) =>
    region.checkVisibility(),
  );
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions.at((at + step + regions.length) % regions.length);
  const preferred = next?.querySelector<HTMLElement>('[aria-current="page"], .list [data-ts][tabindex="0"], textarea');
  (preferred ?? next?.querySelector<HTMLElement>('a, button, input'))?.focus();
  return true;
}

function moveChannel(channels: Channel[], place: string | undefined, step: 1 | -1): true {
  const at = channels.findIndex(({ id }) => id === place);
  const next = channels.at((at + step + channels.length) % channels.length);
  if (next) navigate({ place: next.id });
  return true;
}
