import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { WireEntry } from '../../wire-entry.ts';
import { Icon } from './icon.tsx';
import { WireRow } from './wire-row.tsx';

type Props = { entries: WireEntry[]; close(): void };

/** The requests between the app and the workspace, newest first, with the rules they broke. */
export function WireDrawer({ entries, close }: Props) {
  const [filter, setFilter] = useState('');
  const [onlyProblems, setOnlyProblems] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  // Takes the focus while open, for keyboards and phones.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const shown = drawer.current;
    shown?.querySelector<HTMLElement>('.wire-list')?.focus();
    return () => {
      if (shown?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    // In a non-empty search field, Esc clears the field.
    const isClearing = target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
    if (key === 'Escape' && !isClearing) close();
  };
  const shown = entries
    .filter((entry) => !onlyProblems || isTrouble(entry))
    .filter((entry) => filter === '' || `${entry.name} ${entry.error ?? ''}`.includes(filter))
    .toReversed();
  return (
    <section
      ref={drawer}
      className="wire"
      aria-label="Requests between the app and the workspace"
      data-region
      onKeyDown={onKeyDown}
    >
      <header className="pane-head">
        <h2>Wire</h2>
        <label className="wire-filter">
          <span className="visually-hidden">Filter by name or error</span>
          <input
            className="field"
            type="search"
            placeholder="Filter"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
        </label>
        <label className="also">
          <input type="checkbox" checked={onlyProblems} onChange={({ target }) => setOnlyProblems(target.checked)} />
          Only problems
        </label>
        <button type="button" className="button button-icon" aria-label="Close the wire drawer" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <ol className="wire-list" tabIndex={0} aria-label="Requests, newest first">
        {shown.map((entry) => (
          <WireRow key={entry.seq} entry={entry} />
        ))}
        {shown.length === 0 && (
          <li className="empty">{entries.length > 0 ? 'No matching requests.' : 'No requests yet.'}</li>
        )}
      </ol>
    </section>
  );
}

export function isTrouble({ outcome, broken }: WireEntry): boolean {
  return outcome !== 'ok' || broken.length > 0;
}
