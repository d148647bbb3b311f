import { type FormEvent, useState } from 'react';
import type { Member } from '../../people-api.ts';
import { Field } from './field.tsx';

type Group = { name: string; handle: string; members: string[] };
type Props = {
  title: string;
  button: string;
  people: Member[];
  first?: Group;
  save(group: Group): Promise<boolean>;
};

const EMPTY: Group = { name: '', handle: '', members: [] };

/** The name, handle and members of a user group. */
export function GroupForm({ title, button, people, first = EMPTY, save }: Props) {
  const [group, setGroup] = useState(first);
  const { name, handle, members } = group;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await save(group)) setGroup(first === EMPTY ? EMPTY : group);
  };
  const toggle = (id: string) =>
    setGroup({ ...group, members: members.includes(id) ? members.filter((one) => one !== id) : [...members, id] });
  return (
    <form className="row-form" aria-label={title} onSubmit={(event) => void submit(event)}>
      <h3>{title}</h3>
      <Field label="Name">
        <input className="field" value={name} onChange={({ target }) => setGroup({ ...group, name: target.value })} />
      </Field>
      <Field label="Handle">
        <input
          className="field"
          value={handle}
          onChange={({ target }) => setGroup({ ...group, handle: target.value })}
        />
      </Field>
      <fieldset className="choices">
        <legend className="input-label">Members</legend>
        {people.map(({ id, realName }) => (
          <label key={id} className="choice">
            <input type="checkbox" checked={members.includes(id)} onChange={() => toggle(id)} />
            <span>{realName}</span>
          </label>
        ))}
      </fieldset>
      <button type="submit" className="button button-primary">
        {button}
      </button>
    </form>
  );
}
