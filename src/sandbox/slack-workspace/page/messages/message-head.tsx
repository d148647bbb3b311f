import type { Message } from '../../people-api.ts';
import { useDirectory } from '../state/directory.tsx';
import { exactTime } from '../text/wall-clock.ts';

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

export function MessageHead({ message, author }: { message: Message; author: string }) {
  const { member: memberOf, timeZone } = useDirectory();
  const member = memberOf(message.userId);
  const moment = new Date(Number(message.ts) * 1000);
  return (
    <header className="message-head">
      <span className="author">{author}</span>
      {member?.kind === 'app' && <span className="tag">app</span>}
      {(member?.kind === 'guest' || member?.kind === 'channel-guest') && <span className="tag">guest</span>}
      {member?.kind === 'stranger' && <span className="tag">{member.organisation ?? 'external'}</span>}
      <time dateTime={moment.toISOString()} title={exactTime(moment.getTime(), timeZone)}>
        {clockTime(moment, timeZone)}
      </time>
    </header>
  );
}

function clockTime(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' }).format(moment);
}
