import { type FormEvent, useState } from 'react';
import type { Channel, Member, Snapshot } from '../../people-api.ts';
import { memberCount, nameInList } from '../state/person-words.ts';
import { Asked, type Change, Field, NameForm } from './controls.tsx';

type Props = { snapshot: Snapshot; change: Change; isAdmin: boolean };

/** Members may archive channels and create them; only admins rename them. */
export function ChannelsTab({ snapshot, change, isAdmin }: Props) {
  const { channels, members, me } = snapshot;
  const listed = channels.filter(({ kind }) => kind !== 'im');
  return (
    <>
      <ul className="rows" aria-label="Channels">
        {listed.map((channel) => (
          <li key={channel.id} className="row">
            <div className="row-words">
              <span className="row-name">#{channel.name}</span>
              <span className="choice-description">{channelWords(channel)}</span>
            </div>
            <div className="row-controls">
              {!channel.isArchived && <ChannelPeople channel={channel} members={members} change={change} />}
              {isAdmin && !channel.isArchived && (
                <NameForm
                  key={channel.name}
                  label={`Rename #${channel.name}`}
                  first={channel.name}
                  save={(name) => change({ kind: 'rename-channel', channel: channel.id, name })}
                />
              )}
              {me.kind === 'member' && <Archiving channel={channel} change={change} />}
            </div>
          </li>
        ))}
      </ul>
      {me.kind === 'member' && <CreateChannel change={change} />}
    </>
  );
}

function channelWords(channel: Channel): string {
  const { kind, isArchived, isShared } = channel;
  const words = [kind === 'private' && 'private', isShared && 'shared', isArchived && 'archived'].filter(Boolean);
  return [memberCount(channel), ...words].join(' · ');
}

function Archiving({ channel: { id, name, isArchived }, change }: { channel: Channel; change: Change }) {
  if (!isArchived)
    return (
      <Asked
        what="Archive"
        whom={`#${name}`}
        warning="Nobody can write there any more."
        confirmed={() => void change({ kind: 'archive-channel', channel: id })}
      />
    );
  return (
    <button
      type="button"
      className="button"
      aria-label={`Unarchive #${name}`}
      onClick={() => void change({ kind: 'unarchive-channel', channel: id })}
    >
      Unarchive
    </button>
  );
}

function CreateChannel({ change }: { change: Change }) {
  const [name, setName] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await change({ kind: 'create-channel', name, isPrivate })) setName('');
  };
  return (
    <form className="row-form" aria-label="Create a channel" onSubmit={(event) => void submit(event)}>
      <h3>Create a channel</h3>
      <Field label="Name">
        <input className="field" value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <label className="choice">
        <input type="checkbox" checked={isPrivate} onChange={({ target }) => setPrivate(target.checked)} />
        <span>Private</span>
      </label>
      <button type="submit" className="button button-primary">
        Create
      </button>
    </form>
  );
}

type PeopleProps = { channel: Channel; members: Member[]; change: Change };

/** Shows the members of a channel: ticked ones can be removed, others added. A change that isn't allowed is refused with its reason. */
function ChannelPeople({ channel: { id, name, memberIds }, members, change }: PeopleProps) {
  const people = members.filter(({ kind, isDeactivated }) => kind !== 'slackbot' && !isDeactivated);
  const set = (person: string, isIn: boolean) =>
    void change({ kind: isIn ? 'add-to-channel' : 'remove-from-channel', channel: id, person });
  return (
    <details className="row-details">
      <summary>
        Members<span className="visually-hidden"> of #{name}</span>
      </summary>
      <fieldset className="choices">
        <legend className="visually-hidden">Members of #{name}</legend>
        {people.map((person) => (
          <label key={person.id} className="choice">
            <input
              type="checkbox"
              checked={memberIds.includes(person.id)}
              onChange={({ target }) => set(person.id, target.checked)}
            />
            <span>{nameInList(person)}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
