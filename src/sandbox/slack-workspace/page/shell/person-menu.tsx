import type { Snapshot } from '../../people-api.ts';
import { Avatar } from '../messages/message-head.tsx';
import { roleOf } from '../state/person-words.ts';
import { isPlayable } from '../state/place.ts';
import { isBeside } from '../state/side-by-side.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import type { OpenDialog } from './own-dialog.tsx';

type Props = { snapshot: Snapshot; become(id: string): void; open(dialog: OpenDialog): void };

/** "You are Maria ▾": switches the member to act as, says what each of them is, and leads to one's own profile. */
export function PersonMenu({ snapshot, become, open }: Props) {
  const { me, members, groups, unreadDirect } = snapshot;
  const role = roleOf(me, groups);
  const people = members.filter(isPlayable).map((person) => ({
    key: person.id,
    label: person.realName,
    note: [roleOf(person, groups), unread(unreadDirect[person.id])].filter(Boolean).join(' · ') || undefined,
    isCurrent: person.id === me.id,
    choose: () => become(person.id),
  }));
  const profile = { key: 'profile', label: 'Profile…', note: 'Time zone, user groups', choose: () => open('profile') };
  const several = {
    key: 'several',
    label: 'Side by side…',
    note: 'Be several people at once',
    choose: () => open('side-by-side'),
  };
  return (
    // Beside others, each is one person.
    <Menu
      buttonClass="person-button"
      title="Switch person"
      items={isBeside ? [profile] : [...people, profile, several]}
    >
      <Avatar userId={me.id} isSmall />
      <span className="person-name">
        You are <strong>{me.realName}</strong>
        {role !== '' && <span className="person-role">{role}</span>}
      </span>
      <Icon name="chevron" />
    </Menu>
  );
}

function unread(count = 0): string {
  if (count === 0) return '';
  return count === 1 ? '1 unread direct message' : `${count} unread direct messages`;
}
