import type { Message } from '../../people-api.ts';
import { useDirectory } from '../state/directory.tsx';
import { formatRoute } from '../state/route.ts';
import { formatSlackDate } from '../text/format-slack-date.ts';
import { Avatar } from './message-head.tsx';

type Props = { message: Message; thread: NonNullable<Message['thread']> };

export function ThreadLink({ message, thread }: Props) {
  const { timeZone } = useDirectory();
  const when = { atMs: Number(thread.latestReplyTs) * 1000, nowMs: Date.now(), timeZone };
  const latest = formatSlackDate('Last reply {date_short_pretty} at {time}', when);
  return (
    <a className="thread-link" href={formatRoute({ place: message.channel, threadTs: message.ts })}>
      {thread.replyUserIds.slice(0, 3).map((id) => (
        <Avatar key={id} userId={id} isSmall />
      ))}
      <span className="thread-count">
        {thread.replyCount} {thread.replyCount === 1 ? 'reply' : 'replies'}
      </span>
      <span className="thread-latest">{latest}</span>
    </a>
  );
}
