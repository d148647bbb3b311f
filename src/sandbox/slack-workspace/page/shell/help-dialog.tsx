import { useId } from 'react';
import { Dialog } from './dialog.tsx';

const KEYS = [
  ['F6 / Shift+F6', 'next or previous part of the page'],
  ['Alt+↓ / Alt+↑', 'next or previous channel'],
  ['/', 'start a command in the composer'],
  ['↑ ↓ Home End', 'move between messages; ↑ also from the composer'],
  ['T or →', 'on a message: open its thread'],
  ['M', 'on a message: open its menu'],
  ['Tab', 'on a message: go to its buttons'],
  ['Enter', 'send; in a form: submit'],
  ['Shift+Enter', 'new line'],
  ['Ctrl+Enter', 'in a form: submit from any field'],
  ['↓ or Enter', 'open a list of choices; type to search it'],
  ['Esc', 'close list, menu, dialog, thread or drawer'],
  ['Ctrl+.', 'show the wire drawer'],
  ['?', 'show this list'],
] as const;

export function HelpDialog({ close }: { close(): void }) {
  const titleId = useId();
  return (
    <Dialog className="help" labelledBy={titleId} onClose={close}>
      <header className="modal-head">
        <h2 id={titleId}>Keyboard shortcuts</h2>
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
      <p className="help-note">On a Mac, use ⌘ instead of Ctrl. The browser’s back button works too.</p>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}
