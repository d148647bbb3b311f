import type { Message } from '../../people-api.ts';
import { formatRoute } from '../state/route.ts';
import { formatSlackDate } from '../text/format-slack-date.ts';
import { Avatar } from './message-head.tsx';

type Props = { message: Message; thread: NonNullable<Message['thread']> };

export function ThreadLink({ message, thread }: Props) {
  const latest = formatSlackDate(
    Number(thread.latestReplyTs) * 1000,
    'Last reply {date_short_pretty} at {time}',
    Date.now(),
  );
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
