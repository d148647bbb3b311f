import type { Member, Snapshot } from '../../people-api.ts';
import { Presence } from '../shell/presence.tsx';
import { nameInList, roleOf } from '../state/person-words.ts';
import { AccountSelect } from './account-select.tsx';
import { Asked } from './asked.tsx';
import { InviteForm } from './invite-form.tsx';
import type { Change } from './use-change.ts';

type Props = { snapshot: Snapshot; change: Change; isAdmin: boolean };

export function PeopleTab({ snapshot, change, isAdmin }: Props) {
  const { members, channels } = snapshot;
  const people = members.filter(({ kind, isOutOfReach }) => kind !== 'app' && kind !== 'slackbot' && !isOutOfReach);
  return (
    <>
      <ul className="rows" aria-label="People">
        {people.map((person) => (
          <li key={person.id} className="row">
            <PersonWords person={person} snapshot={snapshot} />
            {isAdmin && isChangeable(person) && (
              <div className="row-controls">
                {!person.isDeactivated && <AccountSelect person={person} channels={channels} change={change} />}
                <Activation person={person} change={change} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {isAdmin && <InviteForm channels={channels} change={change} />}
    </>
  );
}

/** There is one primary owner, who stays it; strangers are administered by their own organisation. */
function isChangeable({ kind, role }: Member): boolean {
  return kind !== 'stranger' && role !== 'primary-owner';
}

function PersonWords({ person, snapshot }: { person: Member; snapshot: Snapshot }) {
  return (
    <div className="row-words">
      <span className="row-name">
        {!person.isDeactivated && <Presence isAway={person.isAway} />}
        {nameInList(person)} <span className="row-handle">@{person.name}</span>
      </span>
      <span className="choice-description">{roleOf(person, snapshot.groups)}</span>
    </div>
  );
}

function Activation({ person, change }: { person: Member; change: Change }) {
  if (person.isDeactivated)
    return (
      <button
        type="button"
        className="button"
        aria-label={`Reactivate ${person.realName}`}
        onClick={() => void change({ kind: 'reactivate', person: person.id })}
      >
        Reactivate
      </button>
    );
  return (
    <Asked
      what="Deactivate"
      whom={person.realName}
      warning="They leave all channels and user groups."
      confirmed={() => void change({ kind: 'deactivate', person: person.id })}
    />
  );
}
