import { useEffect, useState } from 'react';
import type { Snapshot } from '../../people-api.ts';
import type { WireEntry } from '../../wire-entry.ts';
import { fetchWire } from './requests.ts';
import { reuseUnchanged } from './reuse-unchanged.ts';
import { stayConnected } from './stay-connected.ts';

type Live = { snapshot?: Snapshot; wire: WireEntry[]; isConnected: boolean };

const MAX_WIRE_ENTRIES = 500;
const NOTHING_YET: Live = { wire: [], isConnected: false };

export function useLive(as: string | undefined): Live {
  const [live, setLive] = useState<Live>(NOTHING_YET);
  useEffect(() => {
    if (as === undefined) return;
    const take = (entries: WireEntry[]) => setLive((was) => ({ ...was, wire: withEntries(was.wire, entries) }));
    const stop = stayConnected(`/api/live?as=${encodeURIComponent(as)}`, {
      onConnection: (isConnected) => {
        // After a restart, the workspace numbers its entries from one again.
        setLive((was) => ({ ...was, isConnected, wire: isConnected ? [] : was.wire }));
        if (isConnected) fetchWire().then(take, () => undefined);
      },
      onUpdate: (update) => {
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
