import type { Member } from '../../people-api.ts';
import { Avatar } from '../messages/message-head.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

type Props = { me: Member; people: Member[]; become(id: string): void };

const KINDS: { [kind in Member['kind']]: string } = {
  member: '',
  guest: 'guest',
  stranger: 'from another organisation',
  app: 'app',
  slackbot: 'app',
};

/** "You are Maria ▾": switches the member to act as. */
export function PersonMenu({ me, people, become }: Props) {
  const items = people.map((person) => ({
    key: person.id,
    label: person.realName,
    note: [person.title, KINDS[person.kind]].filter(Boolean).join(' · '),
    isCurrent: person.id === me.id,
    choose: () => become(person.id),
  }));
  return (
    <Menu buttonClass="person-button" title="Switch person" items={items}>
      <Avatar userId={me.id} isSmall />
      <span className="person-name">
        You are <strong>{me.realName}</strong>
      </span>
      <Icon name="chevron" />
    </Menu>
  );
}
