import { type KeyboardEvent, memo, useLayoutEffect, useRef, useState } from 'react';
import type { Json } from '../../json.ts';
import type { BrokenRule, WireEntry } from '../../wire-entry.ts';
import { isSafeUrl } from '../text/parse-mrkdwn.ts';
import { Icon } from './icon.tsx';

type Props = { entries: WireEntry[]; close(): void };

/** The requests between the app and the workspace, newest first, with the rules they broke. */
export function WireDrawer({ entries, close }: Props) {
  const [filter, setFilter] = useState('');
  const [onlyProblems, setOnlyProblems] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  // Takes the focus while open, for keyboards and phones.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = drawer.current;
    element?.querySelector<HTMLElement>('.wire-list')?.focus();
    return () => {
      if (element?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    // In a non-empty search field, Esc clears the field.
    const isClearing = target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
    if (key === 'Escape' && !isClearing) close();
  };
  const visible = entries
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
        {visible.map((entry) => (
          <WireRow key={entry.seq} entry={entry} />
        ))}
        {visible.length === 0 && (
          <li className="empty">{entries.length > 0 ? 'No matching requests.' : 'No requests yet.'}</li>
        )}
      </ol>
    </section>
  );
}

export function isTrouble({ outcome, broken }: WireEntry): boolean {
  return outcome !== 'ok' || broken.length > 0;
}

const OUTCOMES: { [outcome in WireEntry['outcome']]: string } = {
  ok: '✓',
  error: '✗',
  timeout: 'timed out',
  dropped: 'dropped',
  unreachable: 'unreachable',
};

/** One request, expandable to show its bodies. */
const WireRow = memo(function WireRow({ entry }: { entry: WireEntry }) {
  const [isOpen, setOpen] = useState(false);
  const toApp = entry.direction === 'to-app';
  const hasTrouble = entry.outcome !== 'ok' || entry.broken.length > 0;
  return (
    <li className="wire-entry" data-trouble={hasTrouble}>
      <button type="button" className="wire-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="wire-way" title={toApp ? 'to the app' : 'from the app'}>
          <span aria-hidden="true">{toApp ? '→' : '←'}</span>
          <span className="visually-hidden">{toApp ? 'to the app' : 'from the app'}</span>
        </span>
        <span className="wire-name">{entry.name}</span>
        <span className="wire-outcome">
          {entry.error ?? OUTCOMES[entry.outcome]} {entry.status !== undefined && entry.status !== 200 && entry.status}
        </span>
        <span className="wire-took" data-slow={entry.tookMs > 1000}>
          {Math.round(entry.tookMs)} ms
        </span>
        <time className="wire-time">{new Date(entry.at).toLocaleTimeString('en-GB')}</time>
      </button>
      {entry.broken.map((rule) => (
        <Broken key={rule.code + rule.detail} rule={rule} />
      ))}
      {isOpen && (
        <div className="wire-bodies">
          <Body title={`Request (${entry.transport})`} body={entry.request} />
          {entry.response === undefined ? <p>No response.</p> : <Body title="Response" body={entry.response} />}
        </div>
      )}
    </li>
  );
});

function Broken({ rule }: { rule: BrokenRule }) {
  return (
    <p className="wire-broken">
      <strong>{rule.code}</strong> {rule.detail}{' '}
      {isSafeUrl(rule.documentation) && (
        <a href={rule.documentation} target="_blank" rel="noreferrer noopener">
          Documentation
        </a>
      )}
    </p>
  );
}

function Body({ title, body }: { title: string; body: Json }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{JSON.stringify(body, null, 2)}</pre>
    </section>
  );
}
