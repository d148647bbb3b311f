import { memo, useMemo, useState } from 'react';
import { type JsonObject, objectsAt } from '../../json.ts';
import type { Block, Message, Shortcut } from '../../people-api.ts';
import type { ElementInput, ViewInputs } from '../../person-actions.ts';
import { Blocks } from '../blocks/block.tsx';
import { initialInput, type Surface, SurfaceProvider } from '../elements/use-element.tsx';
import { Icon } from '../shell/icon.tsx';
import { Menu } from '../shell/menu.tsx';
import { Avatar } from '../shell/person.tsx';
import { useAct } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import { formatRoute } from '../state/route.ts';
import { englishLike, exactTime, formatSlackDate } from '../text/dates.ts';
import { emojiCharacters } from '../text/emoji.ts';
import { Mrkdwn } from '../text/mrkdwn.tsx';
import { Attachments, Files } from './attachments.tsx';

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
      aria-label={`${author}, ${exactTime(Number(message.ts) * 1000, directory)}`}
    >
      {!isContinuation && <Avatar userId={message.userId} />}
      <div className="message-main">
        {!isContinuation && <MessageHead message={message} author={author} />}
        <Provenance {...props} />
        <Body message={message} where={where} />
        {message.reactions.length > 0 && <Reactions reactions={message.reactions} />}
        {where === 'channel' && message.thread && <ThreadLink message={message} thread={message.thread} />}
      </div>
      {!message.ephemeral && !message.tombstone && (
        <MessageToolbar
          message={message}
          where={where}
          isReachable={isCurrent}
          shortcuts={message.notice ? [] : props.shortcuts}
        />
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

function Body({ message, where }: Pick<MessageProps, 'message' | 'where'>) {
  const surface = useMessageSurface(message, where);
  if (message.tombstone) return <p className="tombstone">This message was deleted.</p>;
  // The author's name is above it already.
  if (message.notice)
    return (
      <div className="channel-notice">
        <Mrkdwn text={message.text.replace(/^<@\w+> /, '')} />
      </div>
    );
  return (
    <SurfaceProvider value={surface}>
      {message.blocks.length > 0 ? <Blocks blocks={message.blocks} /> : <Mrkdwn text={message.text} />}
      {message.attachments && <Attachments attachments={message.attachments} />}
      <Files files={message.files} />
      {message.editedAt !== undefined && <span className="edited">(edited)</span>}
    </SurfaceProvider>
  );
}

function Reactions({ reactions }: Pick<Message, 'reactions'>) {
  const { memberName } = useDirectory();
  return (
    <ul className="reactions" aria-label="Reactions">
      {reactions.map(({ name, userIds }) => (
        <li key={name} title={`${userIds.map(memberName).join(', ')} reacted with :${name}:`}>
          {emojiCharacters(name) ?? `:${name}:`} <span className="reaction-count">{userIds.length}</span>
        </li>
      ))}
    </ul>
  );
}

function MessageHead({ message, author }: { message: Message; author: string }) {
  const directory = useDirectory();
  const member = directory.member(message.userId);
  const moment = new Date(Number(message.ts) * 1000);
  return (
    <header className="message-head">
      <span className="author">{author}</span>
      {member?.kind === 'app' && <span className="tag">app</span>}
      {(member?.kind === 'guest' || member?.kind === 'channel-guest') && <span className="tag">guest</span>}
      {member?.kind === 'stranger' && <span className="tag">{member.organisation ?? 'external'}</span>}
      <time dateTime={moment.toISOString()} title={exactTime(moment.getTime(), directory)}>
        {formatSlackDate('{time}', { ...directory, atMs: moment.getTime(), nowMs: Date.now() })}
      </time>
    </header>
  );
}

type ToolbarProps = { message: Message; where: 'channel' | 'thread'; isReachable: boolean; shortcuts: Shortcut[] };

function MessageToolbar({ message, where, isReachable, shortcuts }: ToolbarProps) {
  const act = useAct();
  const { channel, ts } = message;
  const link = new URL(`/archives/${channel}/p${ts.replace('.', '')}`, location.origin);
  if (message.threadTs !== undefined && message.threadTs !== ts) {
    link.search = new URLSearchParams({ thread_ts: message.threadTs, cid: channel }).toString();
  }
  const items = [
    ...shortcuts.map(({ callbackId, name, description }) => ({
      key: callbackId,
      label: name,
      note: description,
      choose: () => void act({ type: 'message-shortcut', callbackId, channel, ts }),
    })),
    { key: 'copy-link', label: 'Copy link', choose: () => void navigator.clipboard.writeText(link.href) },
  ];
  const tabIndex = isReachable ? 0 : -1;
  return (
    <div className="toolbar">
      {where === 'channel' && (
        <a
          className="button button-icon"
          href={formatRoute({ place: channel, threadTs: message.threadTs ?? ts })}
          title="Reply in thread"
          tabIndex={tabIndex}
          data-reply
        >
          <Icon name="reply" />
          <span className="visually-hidden">Reply in thread</span>
        </a>
      )}
      <Menu
        label="Message actions"
        title="Message actions"
        buttonClass="button button-icon"
        tabIndex={tabIndex}
        items={items}
      >
        <Icon name="more" />
      </Menu>
    </div>
  );
}

type ThreadLinkProps = { message: Message; thread: NonNullable<Message['thread']> };

function ThreadLink({ message, thread }: ThreadLinkProps) {
  const { timeZone, locale } = useDirectory();
  const atMs = Number(thread.latestReplyTs) * 1000;
  const when = { atMs, nowMs: Date.now(), timeZone, locale: englishLike(locale) };
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

/** The elements of a message. Values are kept in the browser; using an element notifies the app. */
function useMessageSurface({ channel, ts, blocks }: Message, where: MessageProps['where']): Surface {
  const act = useAct();
  const [held, setHeld] = useState<ViewInputs>({});
  return useMemo(
    () => ({
      key: `${where}-${ts}`,
      heading: where === 'thread' ? 'h3' : 'h2',
      isFrozen: false,
      errors: {},
      valueOf: (blockId, actionId) => held[blockId]?.[actionId] ?? initialOf(blocks, blockId, actionId),
      hold: (blockId, actionId, input) => setHeld((was) => withInput(was, blockId, actionId, input)),
      use: async (blockId, actionId, input, confirmed) => {
        const place = { in: 'message', channel, ts } as const;
        const outcome = await act({ type: 'use', place, blockId, actionId, input, ...(confirmed && { confirmed }) });
        return outcome.ok || outcome.problem.at === 'toast' ? undefined : outcome.problem;
      },
    }),
    [act, channel, ts, blocks, held, where],
  );
}

export function withInput(inputs: ViewInputs, blockId: string, actionId: string, input: ElementInput): ViewInputs {
  return { ...inputs, [blockId]: { ...inputs[blockId], [actionId]: input } };
}

function initialOf(blocks: Block[], blockId: string, actionId: string): ElementInput | undefined {
  const allBlocks = blocks.flatMap((block) => [block, ...objectsAt(block, 'child_blocks')]);
  const block = allBlocks.find(({ block_id }) => block_id === blockId);
  const candidates = [block?.accessory, block?.element, ...[block?.elements ?? []].flat()];
  const isSought = (candidate: unknown): candidate is JsonObject =>
    typeof candidate === 'object' && candidate !== null && 'action_id' in candidate && candidate.action_id === actionId;
  const element = candidates.find(isSought);
  return element && initialInput(element);
}
