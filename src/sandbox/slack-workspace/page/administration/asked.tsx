import { useEffect, useRef, useState } from 'react';

type Props = { what: string; whom: string; warning: string; confirmed(): void };

/** A button that asks whether it is meant, in its own place. */
export function Asked({ what, whom, warning, confirmed }: Props) {
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
        Cancel
      </button>
    </fieldset>
  );
}
