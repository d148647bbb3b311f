import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The processor time that a process has taken, in milliseconds; null where the system has no /proc. */
export function processorMs(pid: number): number | null {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  // The name in parentheses may hold spaces; user and system time are the 14th and 15th fields. man 5 proc_pid_stat
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond()) * 1_000;
}

/** The memory that a process has at the moment, in megabytes; no number where the system has no /proc. */
export function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status') ?? '') ?? [];
  return Number(kilobytes ?? Number.NaN) / 1_024;
}

function readProc(pid: number, name: 'stat' | 'status'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}

let ticks = 0;

function ticksPerSecond(): number {
  if (ticks === 0) ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks;
}
