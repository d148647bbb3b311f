import { useEffect, useRef, useState } from 'react';
import type { Snapshot } from '../../people-api.ts';
import type { WireEntry } from '../../wire-entry.ts';
import { fetchWire } from './requests.ts';
import { reuseUnchanged } from './reuse-unchanged.ts';
import { stayConnected } from './stay-connected.ts';

type Live = { snapshot?: Snapshot; wire: WireEntry[]; isConnected: boolean };

const MAX_WIRE_ENTRIES = 500;
const NOTHING_YET: Live = { wire: [], isConnected: false };

/** The workspace as this member sees it, in one session for all whom the page has acted as. */
export function useLive(as: string | undefined): Live {
  const [live, setLive] = useState<Live>(NOTHING_YET);
  const session = useRef<string>(undefined);
  useEffect(() => {
    if (as === undefined) return;
    const take = (entries: WireEntry[]) => setLive((was) => ({ ...was, wire: withEntries(was.wire, entries) }));
    const address = () => {
      const begun = session.current === undefined ? {} : { session: session.current };
      return `/api/live?${new URLSearchParams({ as, ...begun })}`;
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
