import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { AdminChange } from '../../administration/change.ts';
import { useAct } from '../state/acting.tsx';

export type Change = (change: AdminChange) => Promise<boolean>;

/** The outcome of the last change, in words for the person. */
type Outcome = { isRefused: boolean; text: string };

export function useChange(): { change: Change; outcome: Outcome | undefined } {
  const act = useAct();
  const [outcome, setOutcome] = useState<Outcome>();
  const change: Change = async (made) => {
    const answer = await act({ type: 'administer', change: made });
    setOutcome(answer.ok ? { isRefused: false, text: 'Saved.' } : { isRefused: true, text: answer.problem.text });
    return answer.ok;
  };
  return { change, outcome };
}

type AskedProps = { what: string; whom: string; warning: string; decline?: string; confirmed(): void };

/** A button that asks whether it is meant, in its own place. */
export function Asked({ what, whom, warning, decline = 'Cancel', confirmed }: AskedProps) {
  const [isAsking, setAsking] = useState(false);
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) yes.current?.focus();
  }, [isAsking]);
  if (!isAsking)
    return (
      <button type="button" className="button" aria-label={`${what} ${whom}…`} onClick={() => setAsking(true)}>
        {what}…
      </button>
    );
  const answer = () => {
    setAsking(false);
    confirmed();
  };
  return (
    <fieldset className="asked" aria-label={`${what} ${whom}?`}>
      <span className="choice-description">{warning}</span>
      <button ref={yes} type="button" className="button button-danger" onClick={answer}>
        {what} {whom}
      </button>
      <button type="button" className="button" onClick={() => setAsking(false)}>
        {decline}
      </button>
    </fieldset>
  );
}

/** A control below its label. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is given as a child.
    <label className="labelled">
      <span className="input-label">{label}</span>
      {children}
    </label>
  );
}

type NameProps = { label: string; first: string; save(name: string): Promise<boolean> };

/** A name that is changed in its place. */
export function NameForm({ label, first, save }: NameProps) {
  const [name, setName] = useState(first);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(name);
  };
  return (
    <form className="name-form" onSubmit={submit}>
      <input
        className="field field-short"
        aria-label={label}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="button" disabled={name === first}>
        Rename
      </button>
    </form>
  );
}
