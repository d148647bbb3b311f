import type { Message, Shortcut } from '../../people-api.ts';
import { Icon } from '../shell/icon.tsx';
import { Menu } from '../shell/menu.tsx';
import { useAct } from '../state/acting.tsx';
import { formatRoute } from '../state/route.ts';

type Props = { message: Message; where: 'channel' | 'thread'; isReachable: boolean; shortcuts: Shortcut[] };

export function MessageToolbar({ message, where, isReachable, shortcuts }: Props) {
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
