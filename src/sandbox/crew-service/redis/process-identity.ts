import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names a process so that another one on the same machine can tell whether it still runs. */
export type ProcessIdentity = {
  readonly host: string;
  readonly pid: number;
  /** Where `pid` has this meaning: a machine since its last start, or one of its containers. */
  readonly pidSpace: string;
  /** In the kernel's clock ticks, as a later process may get the same `pid`; undefined where that can't be read. */
  readonly startedAtTick: string | undefined;
};

export function thisProcess(): ProcessIdentity {
  const startedAtTick = statOf(process.pid)?.startedAtTick;
  return { host: hostname(), pid: process.pid, pidSpace: pidSpace(), startedAtTick };
}

/** Whether a process has ended, as far as this one can know: of a process elsewhere it can't. */
export function hasEnded({ pid, startedAtTick, ...other }: ProcessIdentity): boolean {
  if (other.pidSpace !== pidSpace()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
  const now = statOf(pid);
  if (now === undefined || startedAtTick === undefined) return false;
  // A zombie has ended, but nobody has asked how.
  return now.state === 'Z' || now.startedAtTick !== startedAtTick;
}

/** Linux only; elsewhere the name of the host has to do. */
function pidSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Linux only. The name in front may contain spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number): { state: string | undefined; startedAtTick: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: afterName[0], startedAtTick: afterName[19] };
  } catch {
    return undefined;
  }
}
