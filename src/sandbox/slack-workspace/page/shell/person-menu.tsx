import type { Member, UserGroup } from '../../people-api.ts';
import { Avatar } from '../messages/message-head.tsx';
import { roleOf } from '../state/person-words.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

type Props = { me: Member; people: Member[]; groups: UserGroup[]; become(id: string): void };

/** "You are Maria ▾": switches the member to act as, and says what each of them is. */
export function PersonMenu({ me, people, groups, become }: Props) {
  const role = roleOf(me, groups);
  const items = people.map((person) => ({
    key: person.id,
    label: person.realName,
    note: roleOf(person, groups) || undefined,
    isCurrent: person.id === me.id,
    choose: () => become(person.id),
  }));
  return (
    <Menu buttonClass="person-button" title="Switch person" items={items}>
      <Avatar userId={me.id} isSmall />
      <span className="person-name">
        You are <strong>{me.realName}</strong>
        {role !== '' && <span className="person-role">{role}</span>}
      </span>
      <Icon name="chevron" />
    </Menu>
  );
}
