import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { WorkspaceState } from '../state/workspace-state.ts';

/** Changes within this time are written at once. */
const DEBOUNCE_MS = 200;

/** The saved state; undefined if missing or in another format. */
export function readState(path: string): WorkspaceState | undefined {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as { format?: number; state?: WorkspaceState } | null;
    return file?.format === FORMAT && file.state ? resumed(file.state) : undefined;
  } catch {
    return undefined;
  }
}

/** Submissions don't survive a restart, so modals must be submittable again. */
function resumed(state: WorkspaceState): WorkspaceState {
  for (const view of state.views) view.isSubmitting = false;
  return state;
}

/** Increment when older files no longer fit `WorkspaceState`. */
const FORMAT = 3;

type StateKeeper = {
  changed(): void;
  /** Writes what has changed. Later changes are of a workspace that has ended: another one may have the file by then. */
  end(): void;
};

/** Writes the state to a file, atomically, soon after each change. */
export function createStateKeeper(path: string, state: WorkspaceState): StateKeeper {
  let timer: NodeJS.Timeout | undefined;
  let isKept = true;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, state }));
    renameSync(`${path}.new`, path);
  };
  return {
    changed: () => {
      if (isKept) timer ??= setTimeout(write, DEBOUNCE_MS);
    },
    end: () => {
      if (timer) write();
      isKept = false;
    },
  };
}
