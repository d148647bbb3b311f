import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { renderersLoaded } from './blocks/block.tsx';
import { useKeptFocus } from './shell/focus.ts';
import { peopleInAddress, SideBySide } from './shell/side-by-side.tsx';
import { applyStoredTheme } from './shell/sidebar.tsx';
import { fetchMembers } from './state/acting.tsx';
import { useLive } from './state/live.ts';
import { isPlayable } from './state/route.ts';
import { adoptPermalink } from './state/use-route.ts';
import './styles/theme.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/message.css';
import './styles/blocks.css';
import './styles/dialog.css';

const RETRY_MS = 1_000;

/** Picks the member to act as, and shows the workspace as they see it. */
function Page() {
  const [as, setAs] = useState(rememberedPerson);
  const [failure, setFailure] = useState<string>();
  const [isReady, setReady] = useState(false);
  const { snapshot, ...live } = useLive(as);
  useKeptFocus();
  const become = (id: string) => {
    rememberPerson(id);
    setAs(id);
  };
  useEffect(() => {
    let retry: number | undefined;
    const choose = () =>
      fetchMembers().then(
        ({ members }) => setAs((was) => (members.some(({ id }) => id === was) ? was : members.find(isPlayable)?.id)),
        () => {
          setFailure('Can’t reach the workspace. Is it still running? Retrying…');
          retry = window.setTimeout(choose, RETRY_MS);
        },
      );
    void choose();
    return () => window.clearTimeout(retry);
  }, []);
  useEffect(() => void renderersLoaded.then(() => setReady(true)), []);
  if (snapshot && isReady) return <App key={snapshot.me.id} snapshot={snapshot} {...live} become={become} />;
  return <p className="loading">{failure ?? 'Opening the workspace…'}</p>;
}

applyStoredTheme();
adoptPermalink();
const people = peopleInAddress();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(<StrictMode>{people.length > 1 ? <SideBySide ids={people} /> : <Page />}</StrictMode>);

const KEY = 'as';

/** The member this tab acts as: from the URL (`?as=U…`), this tab's last choice, or the last choice in any tab. */
function rememberedPerson(): string | undefined {
  const parameter = new URLSearchParams(location.search).get(KEY);
  return parameter ?? sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;
}

/** Stored per tab, so that several members can be used at once. An address that names one keeps naming it. */
function rememberPerson(id: string): void {
  sessionStorage.setItem(KEY, id);
  localStorage.setItem(KEY, id);
  if (location.search.includes(`${KEY}=`)) history.replaceState(null, '', `/?${KEY}=${id}${location.hash}`);
}
