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
        {(snapshot.workflows.length > 0 || snapshot.workflowRuns.length > 0) && (
          <>
            <h2>Tools</h2>
            <ul>
              <li>
                <PlaceLink href="#/workflows" icon="workflow" name="Workflows" isCurrent={place === 'workflows'} />
              </li>
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
      <PlaceLink href="#/home" icon="app" name={app.name} isCurrent={isCurrent} />
    </li>
  );
}

type PlaceProps = { href: string; icon: 'app' | 'workflow'; name: string; isCurrent: boolean };

/** A link to a place without unread messages. */
function PlaceLink({ href, icon, name, isCurrent }: PlaceProps) {
  return (
    <a className="channel-link" href={href} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      <span className="channel-name">{name}</span>
    </a>
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

type ToolsProps = { isWireOpen: boolean; brokenCount: number; toggleWire(): void; openHelp(): void };

const THEMES = { system: ['auto', 'system'], light: ['light', 'light'], dark: ['dark', 'dark'] } as const;

/** Buttons of the page itself: wire drawer, theme, keyboard shortcuts. */
export function Tools({ isWireOpen, brokenCount, toggleWire, openHelp }: ToolsProps) {
  const [theme, setTheme] = useState(currentTheme);
  const [icon, name] = THEMES[theme];
  return (
    <div className="tools">
      <button
        type="button"
        className="button"
        aria-expanded={isWireOpen}
        onClick={toggleWire}
        title="Requests between the app and the workspace (Ctrl+.)"
      >
        <Icon name="wire" /> Wire
        {brokenCount > 0 && (
          <span className="badge" title={`${brokenCount} failed or broke a rule`}>
            {brokenCount}
            <span className="visually-hidden"> failed or broke a rule</span>
          </span>
        )}
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label={`Theme: ${name}`}
        title={`Theme: ${name}`}
        onClick={() => setTheme(switchTheme())}
      >
        <Icon name={icon} />
      </button>
      <button
        type="button"
        className="button button-icon"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={openHelp}
      >
        <Icon name="help" />
      </button>
    </div>
  );
}

type Theme = 'system' | 'light' | 'dark';

const NEXT: { [theme in Theme]: Theme } = { system: 'light', light: 'dark', dark: 'system' };

/** Call before the first render to avoid a flash. */
export function applyStoredTheme(): void {
  const stored = localStorage.getItem('theme');
  if (stored) document.documentElement.dataset.theme = stored;
}

function currentTheme(): Theme {
  const stored = document.documentElement.dataset.theme;
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function switchTheme(): Theme {
  const theme = NEXT[currentTheme()];
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem('theme');
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem('theme', theme);
  }
  return theme;
}
