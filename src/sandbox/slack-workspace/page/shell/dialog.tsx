import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import { goBack, type Place, placeOf } from './focus.ts';

type Props = { labelledBy: string; className?: string; onClose(): void; children: ReactNode };

/**
 * A modal dialog. The browser traps the focus and makes everything else inert; Esc calls `onClose`; closing returns the
 * focus to the opener, or to where one goes on without it.
 */
export function Dialog({ labelledBy, className = '', onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Must run before the effects of the children, which may move the focus.
  useLayoutEffect(() => {
    const opener = placeOf(document.activeElement);
    const element = dialog.current;
    element?.showModal();
    // Browsers focus the first element otherwise, and React doesn't render `autofocus`.
    element?.querySelector<HTMLElement>('[data-focus-on-load="true"]')?.focus();
    return () => {
      element?.close();
      returnTo(opener);
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

/** Not if another dialog has taken the focus meanwhile. */
function returnTo(opener: Place | undefined): void {
  queueMicrotask(() => {
    if (document.querySelector('dialog[open]')?.contains(document.activeElement)) return;
    if (opener) goBack(opener);
    else document.querySelector<HTMLElement>('.composer textarea')?.focus();
  });
}
