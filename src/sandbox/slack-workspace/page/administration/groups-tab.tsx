import type { Snapshot, UserGroup } from '../../people-api.ts';
import { membersOf } from '../state/person-words.ts';
import { GroupForm } from './group-form.tsx';
import type { Change } from './use-change.ts';

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
