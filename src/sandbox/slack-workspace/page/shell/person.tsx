import { useDirectory } from '../state/directory.tsx';

export function Avatar({ userId, isSmall = false }: { userId: string; isSmall?: boolean }) {
  const member = useDirectory().member(userId);
  const words = (member?.realName ?? '?').split(/\s+/);
  const initials =
    words.length > 1
      ? words
          .map((word) => word[0])
          .join('')
          .slice(0, 2)
      : words.join('').slice(0, 2);
  const shape = member?.kind === 'app' ? 'avatar avatar-app' : 'avatar';
  return (
    <span className={isSmall ? `${shape} avatar-small` : shape} style={{ '--tint': member?.color }} aria-hidden="true">
      {initials}
    </span>
  );
}

/** A filled dot for active people, a ring for people who are away. */
export function Presence({ isAway = false }: { isAway?: boolean | undefined }) {
  return (
    <span className="presence" data-away={isAway}>
      <span className="visually-hidden"> {isAway ? 'away' : 'active'} </span>
    </span>
  );
}
