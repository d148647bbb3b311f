import { useEffect, useRef, useState } from 'react';
import { type ControlBar, HEARTBEAT_MS, type LiveUpdate, type Snapshot } from '../../people-api.ts';
import type { WireEntry } from '../../wire-entry.ts';
import { fetchWire } from './acting.tsx';
import { reuseUnchanged } from './reuse-unchanged.ts';

export type Live = { snapshot?: Snapshot; wire: WireEntry[]; bar: ControlBar; isConnected: boolean };

const MAX_WIRE_ENTRIES = 500;
const NOTHING_YET: Live = { wire: [], bar: { controls: [], notices: [] }, isConnected: false };

/** The workspace as this member sees it, in one session for all people that the page has acted as. */
export function useLive(as: string | undefined): Live {
  const [live, setLive] = useState<Live>(NOTHING_YET);
  const session = useRef<string>(undefined);
  useEffect(() => {
    if (as === undefined) return;
    const take = (entries: WireEntry[]) => setLive((was) => ({ ...was, wire: withEntries(was.wire, entries) }));
    const address = () => {
      const sessionParameter = session.current === undefined ? {} : { session: session.current };
      return `/api/live?${new URLSearchParams({ as, ...sessionParameter })}`;
    };
    const stop = stayConnected(address, {
      onConnection: (isConnected) => {
        // After a restart, the workspace numbers its entries from one again.
        setLive((was) => ({ ...was, isConnected, wire: isConnected ? [] : was.wire }));
        if (isConnected) fetchWire().then(take, () => undefined);
      },
      onUpdate: (update) => {
        if (update.type === 'session') session.current = update.session;
        if (update.type === 'wire') take([update.entry]);
        if (update.type === 'controls') setLive((was) => ({ ...was, bar: update.bar }));
        if (update.type === 'snapshot')
          setLive((was) => ({ ...was, snapshot: reuseUnchanged(was.snapshot, update.snapshot) }));
      },
    });
    return () => {
      stop();
      setLive(NOTHING_YET);
    };
  }, [as]);
  return live;
}

function withEntries(wire: WireEntry[], more: WireEntry[]): WireEntry[] {
  const bySeq = new Map([...wire, ...more].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(-MAX_WIRE_ENTRIES);
}

const RETRY_MS = 1_000;
const CHECK_MS = 500;
/** Four missed heartbeats. */
const MAX_SILENT_CHECKS = (4 * HEARTBEAT_MS) / CHECK_MS;

type Listener = { onConnection(isConnected: boolean): void; onUpdate(update: LiveUpdate): void };

/**
 * Listens to server-sent events until stopped. On its own, the browser gives up after some failures (such as a server
 * restart) and never notices a silent connection, so this replaces every stream that breaks, falls silent or isn't
 * answered.
 */
function stayConnected(address: () => string, { onConnection, onUpdate }: Listener): () => void {
  let retry: number | undefined;
  let silentChecks = 0;
  let stream = connect();
  // Counts checks rather than time: after the page was asleep, events that arrived meanwhile must be read first.
  const watch = window.setInterval(() => {
    silentChecks += 1;
    if (silentChecks > MAX_SILENT_CHECKS) replace(0);
  }, CHECK_MS);
  function connect(): EventSource {
    silentChecks = 0;
    const opened = new EventSource(address());
    opened.onopen = () => onConnection(true);
    opened.onmessage = (event: MessageEvent<string>) => {
      silentChecks = 0;
      const update: LiveUpdate = JSON.parse(event.data);
      if (update.type !== 'heartbeat') onUpdate(update);
    };
    opened.onerror = () => replace(RETRY_MS);
    return opened;
  }
  function replace(afterMs: number): void {
    silentChecks = 0;
    stream.close();
    onConnection(false);
    window.clearTimeout(retry);
    retry = window.setTimeout(() => {
      stream = connect();
    }, afterMs);
  }
  return () => {
    window.clearInterval(watch);
    window.clearTimeout(retry);
    stream.close();
  };
}
