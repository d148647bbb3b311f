import { useDirectory } from '../state/directory.tsx';
import { TextWithEmoji } from './emoji.tsx';
import { formatSlackDate } from './format-slack-date.ts';
import { Link } from './link.tsx';
import type { Token } from './parse-token.ts';
import { exactTime } from './wall-clock.ts';

export function TokenView({ token }: { token: Token }) {
  const directory = useDirectory();
  switch (token.kind) {
    case 'user': {
      const isMe = directory.meId === token.id;
      return (
        <span className={isMe ? 'mention mention-me' : 'mention'} title={directory.role(token.id)}>
          @{directory.memberName(token.id)}
        </span>
      );
    }
    case 'group': {
      const mine = directory.isInGroup(token.id);
      return (
        <span className={mine ? 'mention mention-me' : 'mention'} title={directory.groupMembers(token.id)}>
          @{directory.groupHandle(token.id)}
        </span>
      );
    }
    case 'broadcast':
      return <span className="mention mention-me">@{token.range}</span>;
    case 'channel':
      return (
        <a className="mention" href={`#/${token.id}`}>
          #{directory.channelName(token.id) ?? token.label ?? 'private channel'}
        </a>
      );
    case 'date':
      return <DateView {...token} />;
    case 'link':
      return (
        <Link href={token.url}>
          {token.label === undefined ? (
            token.url.replace(/^mailto:/, '')
          ) : (
            <TextWithEmoji text={{ text: token.label }} />
          )}
        </Link>
      );
  }
}

/** A date in the viewer's time zone, with the exact time on hover. */
export function DateView(date: { atMs: number; format: string; url?: string | undefined; fallback: string }) {
  const { timeZone } = useDirectory();
  const text = formatSlackDate(date.format, { atMs: date.atMs, nowMs: Date.now(), timeZone }) ?? date.fallback;
  const moment = new Date(date.atMs);
  const shown = (
    <time dateTime={moment.toISOString()} title={exactTime(date.atMs, timeZone)}>
      {text}
    </time>
  );
  return date.url === undefined ? shown : <Link href={date.url}>{shown}</Link>;
}
