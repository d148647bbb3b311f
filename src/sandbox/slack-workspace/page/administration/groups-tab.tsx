import { type FormEvent, useState } from 'react';
import type { Member, Snapshot, UserGroup } from '../../people-api.ts';
import { membersOf } from '../state/person-words.ts';
import { type Change, Field } from './controls.tsx';

type Props = { snapshot: Snapshot; change: Change; isAdmin: boolean };

export function GroupsTab({ snapshot: { groups, members }, change, isAdmin }: Props) {
  const nameOf = (id: string) => members.find((member) => member.id === id)?.realName ?? id;
  // Guests and people of other organisations can't be in groups.
  const people = members.filter(({ kind, isDeactivated }) => kind === 'member' && !isDeactivated);
  return (
    <>
      <ul className="rows" aria-label="User groups">
        {groups.map((group) => (
          <li key={group.id} className="row">
            <div className="row-words">
              <span className="row-name">
                {group.name} <span className="row-handle">@{group.handle.replace(/^@/, '')}</span>
              </span>
              <span className="choice-description">{membersOf(group, nameOf)}</span>
            </div>
            {isAdmin && <GroupControls group={group} people={people} change={change} />}
          </li>
        ))}
      </ul>
      {isAdmin && (
        <GroupForm
          title="Create a group"
          button="Create"
          people={people}
          save={(made) => change({ kind: 'create-group', ...made })}
        />
      )}
    </>
  );
}

type ControlProps = { group: UserGroup; people: Snapshot['members']; change: Change };

function GroupControls({ group, people, change }: ControlProps) {
  const { id, name, handle, memberIds, disabledAt } = group;
  const isDisabled = disabledAt !== undefined;
  return (
    <div className="row-controls">
      <details className="row-details">
        <summary>
          Edit<span className="visually-hidden"> {name}</span>
        </summary>
        <GroupForm
          key={`${name} ${handle} ${memberIds.join()}`}
          title={`Edit ${name}`}
          button="Save"
          people={people}
          first={{ name, handle: handle.replace(/^@/, ''), members: memberIds }}
          save={(made) => change({ kind: 'change-group', group: id, ...made })}
        />
      </details>
      <button
        type="button"
        className="button"
        aria-label={`${isDisabled ? 'Enable' : 'Disable'} ${name}`}
        onClick={() => void change({ kind: isDisabled ? 'enable-group' : 'disable-group', group: id })}
      >
        {isDisabled ? 'Enable' : 'Disable'}
      </button>
    </div>
  );
}

type Group = { name: string; handle: string; members: string[] };
type FormProps = {
  title: string;
  button: string;
  people: Member[];
  first?: Group;
  save(group: Group): Promise<boolean>;
};

const EMPTY: Group = { name: '', handle: '', members: [] };

/** The name, handle and members of a user group. */
function GroupForm({ title, button, people, first = EMPTY, save }: FormProps) {
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
