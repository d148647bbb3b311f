import { type FormEvent, useId, useState } from 'react';
import type { Member, UserGroup } from '../../people-api.ts';
import { roleOf } from '../state/person-words.ts';
import { isPlayable } from '../state/place.ts';
import { showSideBySide } from '../state/side-by-side.ts';
import { Dialog } from './dialog.tsx';

type Props = { me: Member; members: Member[]; groups: UserGroup[]; close(): void };

/** Asks whom to be at once. */
export function SideBySideDialog({ me, members, groups, close }: Props) {
  const titleId = useId();
  const [chosen, setChosen] = useState([me.id]);
  const toggle = (id: string) =>
    setChosen((was) => (was.includes(id) ? was.filter((other) => other !== id) : [...was, id]));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length > 1) showSideBySide(chosen);
  };
  return (
    <Dialog className="several" labelledBy={titleId} onClose={close}>
      <form className="modal-form" onSubmit={submit}>
        <header className="modal-head">
          <h2 id={titleId}>Be several people at once</h2>
        </header>
        <div className="modal-body">
          <fieldset className="choices">
            <legend className="input-label">In this window, side by side</legend>
            {members.filter(isPlayable).map((person) => (
              <label key={person.id} className="choice">
                <input type="checkbox" checked={chosen.includes(person.id)} onChange={() => toggle(person.id)} />
                <span>
                  {person.realName}
                  <span className="choice-description">{roleOf(person, groups)}</span>
                </span>
              </label>
            ))}
          </fieldset>
        </div>
        <footer className="dialog-buttons">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button button-primary" disabled={chosen.length < 2}>
            Show
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
