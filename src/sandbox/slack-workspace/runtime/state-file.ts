import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { WorkspaceState } from '../state/workspace-state.ts';

/** Changes within this time are written once. */
const GATHER_MS = 200;

/** The state that was kept, or undefined where there is none that fits. */
export function readState(path: string): WorkspaceState | undefined {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { format?: number; state?: WorkspaceState } | null;
    return kept?.format === FORMAT && kept.state ? resumed(kept.state) : undefined;
  } catch {
    return undefined;
  }
}

/** No submission survives a restart: its modal can be submitted again. */
function resumed(state: WorkspaceState): WorkspaceState {
  for (const view of state.views) view.isSubmitting = false;
  return state;
}

/** Grows whenever an older file no longer fits `WorkspaceState`. */
const FORMAT = 2;

export type StateKeeper = { changed(): void; flush(): void };

/** Writes the state to a file soon after each change, never half. */
export function createStateKeeper(path: string, state: WorkspaceState): StateKeeper {
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, state }));
    renameSync(`${path}.new`, path);
  };
  return {
    changed: () => {
      timer ??= setTimeout(write, GATHER_MS);
    },
    flush: () => {
      if (timer) write();
    },
  };
}
