import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

type Props = { labelledBy: string; className?: string; onClose(): void; children: ReactNode };

/**
 * A modal dialog: the browser keeps the focus inside and everything else inert, Esc asks to close, and the focus goes
 * back to where it was, or to the nearest thing that is still there.
 */
export function Dialog({ labelledBy, className = '', onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the effects of what is inside, which may want the focus.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const around = opener?.closest<HTMLElement>('[data-focus-home]')?.dataset.focusHome;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      giveFocusBack(opener, around);
    };
  }, []);
  const cancel = (event: SyntheticEvent) => {
    // The owner decides: closing a view is told to the app, and may take a moment.
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={labelledBy}
      onCancel={cancel}
      // It may stand inside a thread or message, whose keys don't hold in here.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>
  );
}

/** The opener may be gone (a card loses its buttons): then its message, or the composer. */
function giveFocusBack(opener: Element | null, around: string | undefined): void {
  queueMicrotask(() => {
    if (document.querySelector('dialog[open]')?.contains(document.activeElement)) return;
    const home = around && document.querySelector<HTMLElement>(`[data-focus-home="${CSS.escape(around)}"]`);
    const target = opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : home;
    (target || document.querySelector<HTMLElement>('.composer textarea'))?.focus();
  });
}
