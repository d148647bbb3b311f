import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

type Props = { labelledBy: string; className?: string; onClose(): void; children: ReactNode };

/**
 * A modal dialog. The browser traps the focus and makes everything else inert; Esc calls `onClose`; closing returns the
 * focus to the opener or the nearest element that still exists.
 */
export function Dialog({ labelledBy, className = '', onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Must run before the effects of the children, which may move the focus.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const around = opener?.closest<HTMLElement>('[data-focus-home]')?.dataset.focusHome;
    const shown = dialog.current;
    shown?.showModal();
    // Browsers focus the first element otherwise, and React doesn't render `autofocus`.
    shown?.querySelector<HTMLElement>('[data-focus-on-load="true"]')?.focus();
    return () => {
      shown?.close();
      restoreFocus(opener, around);
    };
  }, []);
  const cancel = (event: SyntheticEvent) => {
    // The owner decides: closing a view notifies the app and may take a moment.
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={labelledBy}
      onCancel={cancel}
      // The dialog may be inside a thread or message, whose keys must not apply here.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>
  );
}

/** The opener may be gone (a card loses its buttons); fall back to its message, then to the composer. */
function restoreFocus(opener: Element | null, around: string | undefined): void {
  queueMicrotask(() => {
    if (document.querySelector('dialog[open]')?.contains(document.activeElement)) return;
    const home = around && document.querySelector<HTMLElement>(`[data-focus-home="${CSS.escape(around)}"]`);
    const target = opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : home;
    (target || document.querySelector<HTMLElement>('.composer textarea'))?.focus();
  });
}
