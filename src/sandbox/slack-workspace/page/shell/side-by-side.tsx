import { type FormEvent, useEffect, useId, useState } from 'react';
import type { Member, UserGroup } from '../../people-api.ts';
import { fetchMembers } from '../state/acting.tsx';
import { roleOf } from '../state/person-words.ts';
import { isPlayable } from '../state/route.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

/** The workspace as several members see it, each in a page of their own. */
export function SideBySide({ ids }: { ids: string[] }) {
  const [members, setMembers] = useState<Member[]>([]);
  useEffect(() => {
    document.title = 'Side by side';
    fetchMembers().then(
      (choice) => setMembers(choice.members),
      () => undefined,
    );
  }, []);
  const nameOf = (id: string) => members.find((member) => member.id === id)?.realName ?? id;
  return (
    <main className="side-by-side" aria-label="Side by side">
      {ids.map((id) => (
        <section key={id} className="beside" aria-label={nameOf(id)}>
          <header className="beside-head">
            <h1>{nameOf(id)}</h1>
            <button
              type="button"
              className="button button-icon"
              aria-label={`Close ${nameOf(id)}`}
              onClick={() => showSideBySide(ids.filter((other) => other !== id))}
            >
              <Icon name="close" />
            </button>
          </header>
          <iframe title={`As ${nameOf(id)}`} src={`/?as=${encodeURIComponent(id)}${location.hash}`} />
        </section>
      ))}
    </main>
  );
}

type Props = { me: Member; members: Member[]; groups: UserGroup[]; close(): void };

/** Asks which people to show at once. */
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

const KEY = 'people';

/** Several people in one window, from its address: `?people=U1,U2`. */
export function peopleInAddress(): string[] {
  return new URLSearchParams(location.search).get(KEY)?.split(',').filter(Boolean) ?? [];
}

/** Shows these people in this window, all at the place where it is. */
function showSideBySide(ids: readonly string[]): void {
  const [only = '', ...others] = ids;
  const query = others.length === 0 ? `as=${only}` : `${KEY}=${ids.join(',')}`;
  location.assign(`/?${query}${location.hash}`);
}

/** True if this page is one of several in a window. */
export const isBeside: boolean = window.parent !== window;
