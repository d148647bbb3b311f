import { memo, useState } from 'react';
import type { Json } from '../../json.ts';
import type { BrokenRule, WireEntry } from '../../wire-entry.ts';
import { isSafeUrl } from '../text/parse-token.ts';

const OUTCOMES: { [outcome in WireEntry['outcome']]: string } = {
  ok: '✓',
  error: '✗',
  timeout: 'timed out',
  dropped: 'dropped',
  unreachable: 'unreachable',
};

/** One request, expandable to show its bodies. */
export const WireRow = memo(function WireRow({ entry }: { entry: WireEntry }) {
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
