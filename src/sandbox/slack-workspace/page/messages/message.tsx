import { memo } from 'react';
import type { Message, Shortcut } from '../../people-api.ts';
import { Blocks } from '../blocks/block.tsx';
import { SurfaceProvider } from '../elements/surface.tsx';
import { Icon } from '../shell/icon.tsx';
import { useAct } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import { Mrkdwn } from '../text/mrkdwn.tsx';
import { exactTime } from '../text/wall-clock.ts';
import { Attachments } from './attachments.tsx';
import { Files } from './files.tsx';
import { Avatar, MessageHead } from './message-head.tsx';
import { MessageToolbar } from './message-toolbar.tsx';
import { ThreadLink } from './thread-link.tsx';
import { useMessageSurface } from './use-message-surface.ts';

type MessageProps = {
  message: Message;
  where: 'channel' | 'thread';
  /** Shown without a head, as it closely follows a message by the same author. */
  isContinuation: boolean;
  /** The one message in its list that Tab reaches. */
  isCurrent: boolean;
  isHighlighted: boolean;
  /** The beginning of the message that a broadcast reply replies to. */
  rootExcerpt: string | undefined;
  shortcuts: Shortcut[];
};

export const MessageView = memo(function MessageView(props: MessageProps) {
  const { message, where, isContinuation, isCurrent, isHighlighted } = props;
  const directory = useDirectory();
  const author = message.username ?? directory.memberName(message.userId);
  const marks = [isContinuation && 'continuation', message.ephemeral && 'ephemeral', isHighlighted && 'highlighted'];
  return (
    <article
      className={['message', ...marks].filter(Boolean).join(' ')}
      data-ts={message.ts}
      data-focus-home={`${where}-${message.ts}`}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${author}, ${exactTime(Number(message.ts) * 1000, directory.timeZone)}`}
    >
      {!isContinuation && <Avatar userId={message.userId} />}
      <div className="message-main">
        {!isContinuation && <MessageHead message={message} author={author} />}
        <Provenance {...props} />
        <Body message={message} where={where} />
        {where === 'channel' && message.thread && <ThreadLink message={message} thread={message.thread} />}
      </div>
      {!message.ephemeral && !message.tombstone && (
        <MessageToolbar message={message} where={where} isReachable={isCurrent} shortcuts={props.shortcuts} />
      )}
    </article>
  );
});

/** Explains why the message is shown here, if that isn't obvious. */
function Provenance({ message, where, rootExcerpt }: MessageProps) {
  const act = useAct();
  if (message.ephemeral) {
    const dismiss = () => void act({ type: 'dismiss', channel: message.channel, ts: message.ts });
    return (
      <p className="provenance">
        <Icon name="eye" /> Only visible to you ·{' '}
        <button type="button" className="link-button" onClick={dismiss}>
          Dismiss
        </button>
      </p>
    );
  }
  if (!message.broadcast) return null;
  if (where === 'thread') return <p className="provenance">Also sent to the channel</p>;
  return (
    <p className="provenance">
      replied to a thread:{' '}
      <a href={`#/${message.channel}?thread_ts=${message.threadTs}`}>{rootExcerpt || 'see the thread'}</a>
    </p>
  );
}

function Body({ message, where }: { message: Message; where: string }) {
  const surface = useMessageSurface(message, where);
  if (message.tombstone) return <p className="tombstone">This message was deleted.</p>;
  return (
    <SurfaceProvider value={surface}>
      {message.blocks.length > 0 ? <Blocks blocks={message.blocks} /> : <Mrkdwn text={message.text} />}
      {message.attachments && <Attachments attachments={message.attachments} />}
      <Files files={message.files} />
      {message.editedAt !== undefined && <span className="edited">(edited)</span>}
    </SurfaceProvider>
  );
}
