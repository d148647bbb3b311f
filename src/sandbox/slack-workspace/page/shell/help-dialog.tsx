import { useId } from 'react';
import { Dialog } from './dialog.tsx';

const KEYS = [
  ['F6 / Shift+F6', 'to the next or previous part of the page'],
  ['Alt+↓ / Alt+↑', 'next or previous channel'],
  ['/', 'to the composer, beginning a command'],
  ['↑ ↓ Home End', 'between messages; ↑ leads there from an empty composer'],
  ['T or →', 'on a message: open its thread'],
  ['M', 'on a message: its menu, with the app’s shortcuts'],
  ['Tab', 'on a message: to its buttons'],
  ['Enter', 'send; in a form: submit'],
  ['Shift+Enter', 'a new line'],
  ['Ctrl+Enter', 'in a form: submit, also from a long text'],
  ['Esc', 'close what is on top: list, menu, window, thread, wire'],
  ['Ctrl+.', 'what went over the wire'],
  ['?', 'this list'],
] as const;

/** The keys, in one list. */
export function HelpDialog({ close }: { close(): void }) {
  const titleId = useId();
  return (
    <Dialog className="help" labelledBy={titleId} onClose={close}>
      <header className="modal-head">
        <h2 id={titleId}>Keys</h2>
      </header>
      <dl className="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="help-note">On a Mac, ⌘ does what Ctrl does here. The browser’s back button goes back.</p>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}
