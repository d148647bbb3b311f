import type { ReactNode } from 'react';
import type { Channel, InstalledApp } from '../../people-api.ts';
import { GlobalShortcuts } from '../composer/global-shortcuts.tsx';
import { Avatar } from '../messages/message-head.tsx';
import { useDirectory } from '../state/directory.tsx';
import { Icon } from './icon.tsx';
import { Presence } from './presence.tsx';

type Sidebar = { openSidebar(): void };

export function ChannelHead({ channel, openSidebar }: Sidebar & { channel: Channel }) {
  return (
    <Head openSidebar={openSidebar}>
      <h1>
        <Icon name={channel.kind === 'private' ? 'lock' : 'hash'} />
        {channel.name}
      </h1>
      {channel.isShared && <span className="tag">shared with another organisation</span>}
      <span className="pane-note">{channel.topic}</span>
      <span className="pane-note pane-count">{channel.memberIds.length} members</span>
    </Head>
  );
}

type AppProps = Sidebar & { app: InstalledApp; direct: Channel | undefined; isHome: boolean };

export function AppHead({ app, direct, isHome, openSidebar }: AppProps) {
  const bot = useDirectory().member(app.botUserId);
  return (
    <Head openSidebar={openSidebar}>
      <Avatar userId={app.botUserId} isSmall />
      <h1>{app.name}</h1>
      <Presence isAway={bot?.isAway} />
      <nav className="tabs" aria-label={app.name}>
        {app.hasHomeTab && (
          <a href="#/home" aria-current={isHome ? 'page' : undefined}>
            Home
          </a>
        )}
        {direct && (
          <a href={`#/${direct.id}`} aria-current={isHome ? undefined : 'page'}>
            Messages
          </a>
        )}
      </nav>
      <GlobalShortcuts />
    </Head>
  );
}

function Head({ openSidebar, children }: Sidebar & { children: ReactNode }) {
  return (
    <header className="pane-head">
      <button type="button" className="button button-icon only-phone" aria-label="Channels" onClick={openSidebar}>
        <Icon name="menu" />
      </button>
      {children}
    </header>
  );
}
