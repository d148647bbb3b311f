import { type ReactNode, useEffect, useRef } from 'react';
import type { Channel, InstalledApp, Message, Shortcut, Snapshot } from '../../people-api.ts';
import { GlobalShortcuts } from '../composer/suggestions.tsx';
import { ChannelPane } from '../messages/panes.tsx';
import { useAct } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import { memberCount } from '../state/person-words.ts';
import type { Route } from '../state/route.ts';
import { HomeTab } from '../views.tsx';
import { Workflows } from '../workflows.tsx';
import { isTouched } from './focus.ts';
import { Icon } from './icon.tsx';
import { Avatar, Presence } from './person.tsx';

type Props = {
  snapshot: Snapshot;
  route: Route;
  /** On the Home tab: the app's direct message, if there is one yet. */
  channel: Channel | undefined;
  messages: Message[];
  shortcuts: Shortcut[];
  isConnected: boolean;
  openSidebar(): void;
};

/** A channel, or one of the app's tabs. */
export function MainPane(props: Props) {
  const { snapshot, route, channel, messages, shortcuts, openSidebar } = props;
  const { app, me } = snapshot;
  const act = useAct();
  const isHome = route.place === 'home';
  const isWorkflows = route.place === 'workflows';
  const isApp = isHome || channel?.kind === 'im';
  useArrival(isHome || isWorkflows ? route.place : channel?.id, route);
  useEffect(() => {
    if (isApp) void act({ type: 'open-home', tab: isHome ? 'home' : 'messages' });
  }, [act, isApp, isHome]);
  if (me.isDeactivated)
    return (
      <main className="main" data-region>
        <p className="empty">This account has been deactivated. Choose another person in the menu.</p>
      </main>
    );
  return (
    <main className="main" data-region>
      {!props.isConnected && (
        <p className="offline" role="status">
          Can’t reach the workspace. Retrying…
        </p>
      )}
      {isApp && <AppHead app={app} direct={channel} isHome={isHome} openSidebar={openSidebar} />}
      {!isApp && channel && <ChannelHead channel={channel} openSidebar={openSidebar} />}
      {isWorkflows && (
        <Head openSidebar={openSidebar}>
          <h1>
            <Icon name="workflow" />
            Workflows
          </h1>
        </Head>
      )}
      {isWorkflows && <Workflows workflows={snapshot.workflows} runs={snapshot.workflowRuns} />}
      {isHome && <HomeTab home={snapshot.home} appName={app.name} />}
      {!isHome && channel && (
        <ChannelPane
          key={channel.id}
          channel={channel}
          messages={messages}
          meId={me.id}
          route={route}
          shortcuts={shortcuts}
        />
      )}
      {!isHome && !isWorkflows && !channel && <p className="empty">No channels to show.</p>}
    </main>
  );
}

/** In another channel one goes on in its field for messages, elsewhere with what is shown; a thread or message takes the focus itself. */
function useArrival(place: string | undefined, { ts, threadTs }: Route): void {
  const before = useRef(place);
  // biome-ignore lint/correctness/useExhaustiveDependencies: within a place, one is there already
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    if (ts !== undefined || threadTs !== undefined) return;
    const main = document.querySelector<HTMLElement>('.main');
    const field = isTouched() ? null : main?.querySelector<HTMLElement>('.composer textarea');
    const target = main?.querySelector<HTMLElement>('.home, .list [data-ts][tabindex="0"]');
    (field ?? target)?.focus({ preventScroll: true });
  }, [place]);
}

type Sidebar = { openSidebar(): void };

function ChannelHead({ channel, openSidebar }: Sidebar & { channel: Channel }) {
  return (
    <Head openSidebar={openSidebar}>
      <h1>
        <Icon name={channel.kind === 'private' ? 'lock' : 'hash'} />
        {channel.name}
      </h1>
      {channel.isShared && <span className="tag">shared with another organisation</span>}
      <span className="pane-note">{channel.topic}</span>
      <span className="pane-note pane-count">{memberCount(channel)}</span>
    </Head>
  );
}

type AppProps = Sidebar & { app: InstalledApp; direct: Channel | undefined; isHome: boolean };

function AppHead({ app, direct, isHome, openSidebar }: AppProps) {
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
