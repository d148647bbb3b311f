import { lazy, type ReactNode, Suspense, useId, useMemo, useRef, useState } from 'react';
import type { Message, Snapshot } from '../people-api.ts';
import { KnownProvider } from './composer/suggestions.tsx';
import { ThreadPanel } from './messages/panes.tsx';
import { Dialog } from './shell/dialog.tsx';
import { useHotkeys } from './shell/hotkeys.ts';
import { MainPane } from './shell/main-pane.tsx';
import { Announcer, ControlBarView, type Heard, Toast } from './shell/notices.tsx';
import type { OpenDialog } from './shell/own-dialog.tsx';
import { PersonMenu } from './shell/person-menu.tsx';
import { Sidebar, Tools, useSidebar } from './shell/sidebar.tsx';
import { isTrouble, WireDrawer } from './shell/wire-drawer.tsx';
import { type Act, ActProvider, useActing } from './state/acting.tsx';
import { DirectoryProvider, useNewDirectory } from './state/directory.tsx';
import type { Live } from './state/live.ts';
import { channelOf, threadOf } from './state/route.ts';
import { useRoute, useTitle } from './state/use-route.ts';
import { Modals } from './views.tsx';

type Props = Omit<Live, 'snapshot'> & { snapshot: Snapshot; become(id: string): void };

/** Fetched when the first of them is opened: few look at them. */
const OwnDialog = lazy(async () => {
  try {
    return { default: (await import('./shell/own-dialog.tsx')).OwnDialog };
  } catch {
    // The workspace has ended, or serves another build by now.
    return { default: NotLoaded };
  }
});

const NO_MESSAGES: Message[] = [];

/** The workspace as one member sees it. */
export function App({ snapshot, wire, bar, isConnected, become }: Props) {
  const { app, channels, me } = snapshot;
  const route = useRoute();
  const { act, toast, dismiss } = useActing(me.id);
  const sidebar = useSidebar(route);
  const [isWireOpen, setWireOpen] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog>();
  const channel = channelOf(channels, route);
  const messages = (channel && snapshot.messages[channel.id]) ?? NO_MESSAGES;
  const threadTs = threadOf(route, messages);
  const place = channel && route.place !== 'home' ? channel.id : route.place;
  const shortcuts = useMemo(() => app.shortcuts.filter(({ type }) => type === 'message'), [app.shortcuts]);
  const toggleWire = () => {
    sidebar.close();
    setWireOpen((is) => !is);
  };
  const openHelp = () => setDialog('help');
  useHotkeys({ channels, place, toggleWire, openHelp, closeSidebar: sidebar.close });
  useTitle(snapshot, route, channel);
  const shared = { channel, messages, shortcuts };
  const latest: Heard = useRef(undefined);
  // Rendered inside an open modal, which makes everything behind it inert.
  const overlays = (
    <>
      <Toast text={toast} dismiss={dismiss} />
      <Announcer snapshot={snapshot} place={place} heard={latest} />
    </>
  );
  return (
    <Providers snapshot={snapshot} act={act}>
      <ControlBarView bar={bar} />
      <div className="app" data-thread={threadTs !== undefined} data-sidebar={sidebar.isOpen}>
        <section className="sidebar" aria-label="Workspace">
          <Sidebar snapshot={snapshot} place={place} isConnected={isConnected}>
            <PersonMenu snapshot={snapshot} become={become} open={setDialog} />
            <Tools
              isWireOpen={isWireOpen}
              brokenCount={wire.filter(isTrouble).length}
              toggleWire={toggleWire}
              openHelp={openHelp}
            />
          </Sidebar>
        </section>
        <button type="button" className="scrim" aria-label="Close the channel list" onClick={sidebar.close} />
        <MainPane {...shared} snapshot={snapshot} route={route} isConnected={isConnected} openSidebar={sidebar.open} />
        {channel && threadTs !== undefined && (
          <ThreadPanel
            key={threadTs}
            channel={channel}
            messages={messages}
            shortcuts={shortcuts}
            threadTs={threadTs}
            highlightTs={route.ts === threadTs ? undefined : route.ts}
            status={snapshot.statuses.find((one) => one.channel === channel.id && one.threadTs === threadTs)}
          />
        )}
        {isWireOpen && <WireDrawer entries={wire} close={() => setWireOpen(false)} />}
      </div>
      <Modals modals={snapshot.modals}>{overlays}</Modals>
      <Suspense>
        {dialog && <OwnDialog dialog={dialog} snapshot={snapshot} close={() => setDialog(undefined)} />}
      </Suspense>
      {snapshot.modals.length === 0 && overlays}
    </Providers>
  );
}

/** In place of what couldn't be fetched, which browsers try again only on another page. */
function NotLoaded({ close }: { close(): void }) {
  const titleId = useId();
  return (
    <Dialog className="confirm" labelledBy={titleId} onClose={close}>
      <h2 id={titleId}>This couldn’t be loaded</h2>
      <p className="confirm-text">Is the workspace still running? Reload the page to try again.</p>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
        <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
          Reload
        </button>
      </footer>
    </Dialog>
  );
}

function Providers({ snapshot, act, children }: { snapshot: Snapshot; act: Act; children: ReactNode }) {
  const { app, members, groups } = snapshot;
  const directory = useNewDirectory(snapshot);
  const suggestable = useMemo(() => {
    const globalShortcuts = app.shortcuts.filter(({ type }) => type === 'global');
    return { commands: app.commands, members, groups, globalShortcuts };
  }, [app, members, groups]);
  return (
    <ActProvider value={act}>
      <DirectoryProvider value={directory}>
        <KnownProvider value={suggestable}>{children}</KnownProvider>
      </DirectoryProvider>
    </ActProvider>
  );
}
