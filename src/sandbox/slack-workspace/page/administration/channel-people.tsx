import type { Channel, Member } from '../../people-api.ts';
import { nameInList } from '../state/person-words.ts';
import type { Change } from './use-change.ts';

type Props = { channel: Channel; members: Member[]; change: Change };

/** Who is in a channel: ticked ones can be removed, others added. What isn't allowed is refused with its reason. */
export function ChannelPeople({ channel: { id, name, memberIds }, members, change }: Props) {
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
