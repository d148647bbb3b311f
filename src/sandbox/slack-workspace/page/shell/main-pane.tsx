import { useEffect } from 'react';
import type { Channel, Message, Shortcut, Snapshot } from '../../people-api.ts';
import { ChannelPane } from '../messages/channel-pane.tsx';
import { useAct } from '../state/acting.tsx';
import type { Route } from '../state/route.ts';
import { HomeTab } from '../views/home-tab.tsx';
import { AppHead, ChannelHead } from './pane-head.tsx';

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
  const isApp = isHome || channel?.kind === 'im';
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
      {!isHome && !channel && <p className="empty">No channels to show.</p>}
    </main>
  );
}
