import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { WireEntry } from '../../wire-entry.ts';
import { Icon } from './icon.tsx';
import { WireRow } from './wire-row.tsx';

type Props = { entries: WireEntry[]; close(): void };

/** What went between the app and the workspace, newest first, with any rule it broke. */
export function WireDrawer({ entries, close }: Props) {
  const [filter, setFilter] = useState('');
  const [onlyTrouble, setOnlyTrouble] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  // By keyboard and on a phone it is the place to be; the focus goes back to where it was.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const shown = drawer.current;
    shown?.querySelector<HTMLElement>('.wire-list')?.focus();
    return () => {
      if (shown?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    // In a field that holds something, Esc empties it first.
    const isEmptying = target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
    if (key === 'Escape' && !isEmptying) close();
  };
  const shown = entries
    .filter((entry) => !onlyTrouble || isTrouble(entry))
    .filter((entry) => filter === '' || `${entry.name} ${entry.error ?? ''}`.includes(filter))
    .toReversed();
  return (
    <section ref={drawer} className="wire" aria-label="What went over the wire" data-region onKeyDown={onKeyDown}>
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
          <input type="checkbox" checked={onlyTrouble} onChange={({ target }) => setOnlyTrouble(target.checked)} />
          Only trouble
        </label>
        <button type="button" className="button button-icon" aria-label="Close the wire drawer" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <ol className="wire-list" tabIndex={0} aria-label="Requests, newest first">
        {shown.map((entry) => (
          <WireRow key={entry.seq} entry={entry} />
        ))}
        {shown.length === 0 && <li className="empty">Nothing {entries.length > 0 ? 'like that ' : ''}yet.</li>}
      </ol>
    </section>
  );
}

export function isTrouble({ outcome, broken }: WireEntry): boolean {
  return outcome !== 'ok' || broken.length > 0;
}
