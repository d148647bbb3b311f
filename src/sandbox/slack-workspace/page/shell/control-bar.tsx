import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ControlBar, Notice } from '../../people-api.ts';
import { pressControl } from '../state/acting.tsx';
import { Icon } from './icon.tsx';
import { placeBelow } from './menu.tsx';

/** Buttons for what a visitor can try around the workspace, and the latest line about what happened. */
export function ControlBarView({ bar: { controls, notices } }: { bar: ControlBar }) {
  const [dismissed, setDismissed] = useState(0);
  const latest = notices.at(-1);
  const shown = latest && latest.seq > dismissed ? latest : undefined;
  // Stays for the lines to come: screen readers notice only what changes within.
  const isEmpty = controls.length === 0 && !shown;
  return (
    <section className="control-bar" aria-label="Try it" data-region={!isEmpty || undefined} data-empty={isEmpty}>
      {!isEmpty && (
        <div className="control-bar-buttons">
          {controls.map(({ id, label, isBusy }) => (
            <button
              key={id}
              type="button"
              className="button"
              aria-busy={isBusy}
              // Not disabled, which would drop the focus.
              aria-disabled={isBusy}
              onClick={() => !isBusy && void pressControl(id).catch(() => undefined)}
            >
              {isBusy && <span className="spinner" aria-hidden="true" />}
              {label}
            </button>
          ))}
          {notices.length > 0 && <WhatHappened notices={notices} />}
        </div>
      )}
      <div role="status" aria-live="polite">
        {shown && (
          <p key={shown.seq} className="notice">
            <Time at={shown.at} /> <span className="notice-text">{shown.text}</span>
            <button
              type="button"
              className="button button-icon"
              aria-label="Dismiss"
              onClick={() => setDismissed(shown.seq)}
            >
              <Icon name="close" />
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

/** The last lines once more, newest first. */
function WhatHappened({ notices }: { notices: Notice[] }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  // Its size is known only with the lines in it.
  useLayoutEffect(() => {
    if (!isOpen || !button.current || !popup.current) return;
    placeBelow(button.current, popup.current);
    popup.current.focus();
  }, [isOpen]);
  return (
    <>
      <button ref={button} type="button" className="button button-quiet" popoverTarget={id}>
        What happened
      </button>
      <div
        ref={popup}
        id={id}
        className="menu notices"
        popover="auto"
        tabIndex={-1}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <ol aria-label="What happened, newest first">
            {notices.toReversed().map(({ seq, at, text }) => (
              <li key={seq}>
                <Time at={at} /> <span className="notice-text">{text}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </>
  );
}

function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString('en-GB')}</time>;
}
