import { type ReactNode, useEffect, useState } from 'react';
import type { Channel, InstalledApp, Snapshot } from '../../people-api.ts';
import type { Route } from '../state/route.ts';
import { Icon } from './icon.tsx';

type Props = { snapshot: Snapshot; place: string | undefined; isConnected: boolean; children: ReactNode };

export function Sidebar({ snapshot, place, isConnected, children }: Props) {
  const { channels, app } = snapshot;
  const joined = channels.filter(({ kind, isMember, isArchived }) => kind !== 'im' && isMember && !isArchived);
  const direct = channels.find(({ kind }) => kind === 'im');
  const others = channels.filter(({ kind, isMember, isArchived }) => kind !== 'im' && (!isMember || isArchived));
  return (
    <div className="sidebar-inner">
      <p className="team-name">{snapshot.team.name}</p>
      {children}
      <nav aria-label="Channels" data-region>
        <ChannelGroup title="Channels" channels={joined} place={place} />
        {others.length > 0 && <ChannelGroup title="More channels" channels={others} place={place} />}
        {(app.hasHomeTab || direct) && (
          <>
            <h2>Apps</h2>
            <ul>
              <AppLink app={app} direct={direct} place={place} />
            </ul>
          </>
        )}
      </nav>
      {isConnected && <AppState app={app} />}
    </div>
  );
}

/** Links to the app's Home tab, or to its messages if some are unread. */
function AppLink({
  app,
  direct,
  place,
}: {
  app: InstalledApp;
  direct: Channel | undefined;
  place: string | undefined;
}) {
  const isCurrent = place === 'home' || (direct !== undefined && place === direct.id);
  const goesHome = app.hasHomeTab && (direct === undefined || direct.unread === 0);
  if (direct)
    return <ChannelLink channel={direct} href={goesHome ? '#/home' : `#/${direct.id}`} isCurrent={isCurrent} />;
  if (!goesHome) return null;
  return (
    <li>
      <a className="channel-link" href="#/home" aria-current={isCurrent ? 'page' : undefined}>
        <Icon name="app" />
        <span className="channel-name">{app.name}</span>
      </a>
    </li>
  );
}

function ChannelGroup({ title, channels, place }: { title: string; channels: Channel[]; place: string | undefined }) {
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {channels.map((channel) => (
          <ChannelLink key={channel.id} channel={channel} href={`#/${channel.id}`} isCurrent={place === channel.id} />
        ))}
      </ul>
    </>
  );
}

const ICONS = { public: 'hash', private: 'lock', im: 'app' } as const;

function ChannelLink({ channel, href, isCurrent }: { channel: Channel; href: string; isCurrent: boolean }) {
  const isUnread = channel.unread > 0 && !isCurrent;
  const states = [
    channel.kind === 'private' && 'private',
    channel.isShared && 'shared with another organisation',
    channel.isArchived && 'archived',
    isUnread && `${channel.unread} unread`,
    isUnread && channel.mentions > 0 && `${channel.mentions} for you`,
  ].filter(Boolean);
  return (
    <li>
      <a className="channel-link" href={href} aria-current={isCurrent ? 'page' : undefined} data-unread={isUnread}>
        <Icon name={ICONS[channel.kind]} />
        <span className="channel-name">{channel.name}</span>
        {states.length > 0 && <span className="visually-hidden">, {states.join(', ')}</span>}
        {channel.isShared && <Tag text="shared" />}
        {channel.isArchived && <Tag text="archived" />}
        {isUnread && channel.mentions > 0 && (
          <span className="badge" aria-hidden="true">
            {channel.mentions}
          </span>
        )}
      </a>
    </li>
  );
}

/** Hidden from screen readers, which announce all states of a channel together. */
function Tag({ text }: { text: string }) {
  return (
    <span className="tag" aria-hidden="true">
      {text}
    </span>
  );
}

function AppState({ app }: { app: InstalledApp }) {
  const way = app.delivery === 'socket' ? 'Socket Mode' : 'HTTP';
  return (
    <p className="app-state" data-reachable={app.reachable}>
      <span aria-hidden="true">●</span> {app.name} is {app.reachable ? 'connected' : 'not reachable'} ({way})
    </p>
  );
}

/** On a phone the channel list covers the page: it takes the focus, and navigating closes it. */
export function useSidebar({ place, threadTs }: Route): { isOpen: boolean; open(): void; close(): void } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) document.querySelector<HTMLElement>('.sidebar [aria-current="page"], .sidebar a')?.focus();
  }, [isOpen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: any navigation closes it
  useEffect(() => setOpen(false), [place, threadTs]);
  const close = () => {
    if (!isOpen) return;
    setOpen(false);
    document.querySelector<HTMLElement>('.only-phone')?.focus();
  };
  return { isOpen, open: () => setOpen(true), close };
}
