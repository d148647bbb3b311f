import { createHash } from 'node:crypto';
import type { WorkspaceState } from './workspace-state.ts';

/** A new `ts` (seconds with six decimals), later than every other in the workspace. */
export function nextTs(state: WorkspaceState, nowMs: number): string {
  state.lastTs = Math.max(nowMs * 1000, state.lastTs + 1);
  return latestTs(state);
}

/** The latest `ts` that was given out. */
export function latestTs({ lastTs }: WorkspaceState): string {
  const digits = String(lastTs).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** A new id in Slack's format, such as `V0A1B2C3D4E`; the letter is the kind. */
export function nextId(state: WorkspaceState, letter: string): string {
  state.idsMade += 1;
  const seed = createHash('sha256').update(`${letter}${state.idsMade}${state.lastTs}`).digest();
  return `${letter}0${BigInt(`0x${seed.toString('hex').slice(0, 16)}`)
    .toString(36)
    .toUpperCase()
    .padStart(9, '0')
    .slice(0, 9)}`;
}

/** A new hash for a view, different after each change. */
export function nextHash(state: WorkspaceState, nowMs: number): string {
  state.idsMade += 1;
  const mark = createHash('sha256').update(`${state.idsMade}:${nowMs}`).digest('hex').slice(0, 8);
  return `${Math.floor(nowMs / 1000)}.${mark}`;
}
