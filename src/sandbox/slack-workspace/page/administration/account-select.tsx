import type { AdminChange, Role } from '../../administration/change.ts';
import type { Channel, Member } from '../../people-api.ts';
import type { Change } from './use-change.ts';

type Props = { person: Member; channels: Channel[]; change: Change };

const ROLES: [Role, string][] = [
  ['owner', 'Owner'],
  ['admin', 'Admin'],
  ['member', 'Member'],
];

/** What a person is in the workspace; a guest in one channel stays in one of those that they are in. */
export function AccountSelect({ person, channels, change }: Props) {
  const theirs = channels.filter(({ kind, isArchived, memberIds }) => {
    return kind !== 'im' && !isArchived && memberIds.includes(person.id);
  });
  const guestIn = theirs.map(({ id, name }): [string, string] => [`in ${id}`, `Guest in #${name} only`]);
  const options: [string, string][] = [...ROLES, ['guest', 'Guest'], ...guestIn];
  const choose = async (chosen: string) => {
    for (const made of changesFor(person, chosen)) if (!(await change(made))) return;
  };
  return (
    <select
      className="field field-short"
      aria-label={`Account of ${person.realName}`}
      value={accountOf(person, theirs)}
      onChange={({ target }) => void choose(target.value)}
    >
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

function accountOf({ kind, role }: Member, theirs: Channel[]): string {
  if (kind === 'guest') return 'guest';
  if (kind === 'channel-guest') return `in ${theirs[0]?.id ?? ''}`;
  return role ?? 'member';
}

/** A guest becomes a member first, and only then an admin. */
function changesFor({ id, kind }: Member, chosen: string): AdminChange[] {
  const change = { kind: 'change-account', person: id } as const;
  if (chosen === 'guest') return [{ ...change, account: 'guest' }];
  if (chosen.startsWith('in ')) return [{ ...change, account: 'channel-guest', channel: chosen.slice(3) }];
  const role = ROLES.find(([name]) => name === chosen)?.[0] ?? 'member';
  const toMember: AdminChange[] = kind === 'member' ? [] : [{ ...change, account: 'member' }];
  const isPlain = role === 'member' && toMember.length > 0;
  return isPlain ? toMember : [...toMember, { kind: 'change-role', person: id, role }];
}
