// Keeps the focus where one goes on: apps replace what they show at any time, and with it the element that has the focus.
import { useEffect } from 'react';

/** The place of the focus, by which it can be found again without its element. */
export type Place = {
  element: HTMLElement;
  /** The `data-focus-home` around it, such as that of a message or a modal. */
  home: string | undefined;
  /** The name of the element, and then the names after it there: names that nothing else there has. */
  names: string[];
  region: Element | null;
};

/** On a touch screen, a field that has the focus opens the keyboard over half of the page. */
export const isTouched = (): boolean => window.matchMedia('(hover: none)').matches;

export function placeOf(element: Element | null): Place | undefined {
  if (!(element instanceof HTMLElement) || element === document.body) return undefined;
  const home = element.closest<HTMLElement>('[data-focus-home]');
  const controls = home ? controlsIn(home) : [];
  const all = controls.map(nameOf);
  const at = controls.indexOf(element);
  return {
    element,
    home: home?.dataset.focusHome,
    names: at === -1 ? [] : all.slice(at).filter((name) => all.indexOf(name) === all.lastIndexOf(name)),
    region: element.closest('[data-region], dialog'),
  };
}

/**
 * Focuses the element if it is still there; else what has its name, or what came after it; else what they were in, or the
 * field for messages beside that.
 */
export function goBack({ element, home, names, region }: Place): void {
  const around = home && document.querySelector<HTMLElement>(`[data-focus-home="${CSS.escape(home)}"]`);
  const controls = around ? controlsIn(around) : [];
  const same = controls.find((control) => nameOf(control) === names[0]);
  const next = controls.find((control) => names.includes(nameOf(control)));
  const target = element.isConnected ? element : (same ?? next ?? (around || fieldIn(region)));
  target?.focus({ preventScroll: true });
}

const CONTROLS = ':is(a[href], button, input, textarea, select, [tabindex="0"]):not(:disabled)';

/** The buttons that each message has come after everything in it. */
function controlsIn(home: HTMLElement): HTMLElement[] {
  const all = [...home.querySelectorAll<HTMLElement>(CONTROLS)];
  return all.filter((control) => !control.closest('.toolbar, [popover]') && control.checkVisibility());
}

function nameOf(control: HTMLElement): string {
  const label = control instanceof HTMLInputElement ? control.labels?.[0]?.textContent : control.textContent;
  return `${control.tagName} ${control.ariaLabel ?? label ?? control.id}`;
}

function fieldIn(region: Element | null): HTMLElement | null {
  if (!region?.isConnected) return null;
  return region.querySelector(isTouched() ? '.list [data-ts][tabindex="0"]' : '.composer textarea');
}

/** Moves the focus when the element that has it is removed. Dialogs look after themselves when they close. */
export function useKeptFocus(): void {
  useEffect(() => {
    let place: Place | undefined;
    const isNowhere = () => document.activeElement === document.body;
    const remember = ({ target }: FocusEvent) => {
      place = target instanceof Element ? placeOf(target) : undefined;
    };
    // A click beside everything puts the focus nowhere.
    const forget = () =>
      queueMicrotask(() => {
        if (isNowhere() && place?.element.isConnected) place = undefined;
      });
    const look = new MutationObserver(() => {
      if (place && isNowhere() && !place.element.isConnected) goBack(place);
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    look.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
      look.disconnect();
    };
  }, []);
}
