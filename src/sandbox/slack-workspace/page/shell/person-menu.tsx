import type { Snapshot } from '../../people-api.ts';
import { roleOf } from '../state/person-words.ts';
import { isPlayable } from '../state/route.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import type { OpenDialog } from './own-dialog.tsx';
import { Avatar, Presence } from './person.tsx';
import { isBeside } from './side-by-side.tsx';

type Props = { snapshot: Snapshot; become(id: string): void; open(dialog: OpenDialog): void };

/** "You are Maria ▾": switches the member to act as, says what each of them is, and leads to one's own profile. */
export function PersonMenu({ snapshot, become, open }: Props) {
  const { me, members, groups, unreadDirect } = snapshot;
  const role = roleOf(me, groups);
  const people = members.filter(isPlayable).map((person) => ({
    key: person.id,
    label: person.realName,
    note:
      [roleOf(person, groups), person.isAway && 'away', unread(unreadDirect[person.id])].filter(Boolean).join(' · ') ||
      undefined,
    isCurrent: person.id === me.id,
    choose: () => become(person.id),
  }));
  const profile = {
    key: 'profile',
    label: 'Profile…',
    note: 'Presence, time zone, user groups',
    choose: () => open('profile'),
  };
  const workspace = {
    key: 'workspace',
    label: 'People and groups…',
    note: me.role === undefined ? 'Who is here' : 'Who is here; invite, change, deactivate',
    choose: () => open('workspace'),
  };
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
      focusHome="person"
      items={isBeside ? [profile, workspace] : [...people, profile, workspace, several]}
    >
      <Avatar userId={me.id} isSmall />
      <span className="person-name">
        You are{' '}
        <strong>
          {me.realName} <Presence isAway={me.isAway} />
        </strong>
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
