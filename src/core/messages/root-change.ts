import type { Execution } from '../execution/execution.ts';
import { fingerprint } from './fingerprint.ts';
import { rootModel } from './view-models.ts';

/** What the root message doesn't show yet. `progress`: nothing but how far the run is and what its agents do. */
type RootChange = 'none' | 'progress' | 'state';

/** Fingerprint of what the root should show: that of the run's state, and after a space that of its progress. */
export function rootFingerprint(execution: Execution): string {
  const { progress, activitySeen, ...state } = rootModel(execution);
  return `${fingerprint(state)} ${fingerprint([progress, activitySeen])}`;
}

/** Of the run's state alone. */
export function rootStateFingerprint(execution: Execution): string {
  return stateOf(rootFingerprint(execution));
}

export function rootChange(execution: Execution): RootChange {
  const { root } = execution;
  if (root.status !== 'posted') return 'none';
  const wanted = rootFingerprint(execution);
  if (root.shown === wanted) return 'none';
  return stateOf(root.shown) === stateOf(wanted) ? 'progress' : 'state';
}

function stateOf(shown: string): string {
  return shown.split(' ')[0] ?? '';
}
