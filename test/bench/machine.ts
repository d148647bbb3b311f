import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import { type Cores, pinned } from './harness/cores.ts';

/** How much longer a fixed piece of work may take at one moment than at another. */
const MOST_VARIATION = 1.25;
/** Processes that wanted a core within the last minute, for each core, before the first bench. */
const MOST_LOAD = 0.5;

/** Whether anything else used the machine while it was measured. */
export interface Machine {
  /** Takes about half a second. */
  look(): Promise<void>;
  /** One sentence for each reason to doubt the times. */
  warnings(): string[];
}

export function createMachine(cores: Cores): Machine {
  const load = (loadavg()[0] ?? 0) / cores.count;
  const took = { server: [] as number[], others: [] as number[] };
  const variation = (times: number[]) => Math.max(...times) / Math.min(...times);
  return {
    async look() {
      for (const place of ['server', 'others'] as const) took[place].push(await spin(cores[place]));
    },
    warnings() {
      const byPlace = Object.entries(took).filter(([, times]) => times.length > 1 && variation(times) > MOST_VARIATION);
      return [
        ...(load > MOST_LOAD ? [`The load was ${load.toFixed(2)} a core before anything was measured.`] : []),
        ...byPlace.map(([place, times]) => {
          const more = Math.round((variation(times) - 1) * 100);
          return `The same work took up to ${more} % longer at times on the core of the ${place === 'server' ? 'server' : 'rest'}.`;
        }),
      ];
    },
  };
}

const SPIN = `
  const began = performance.now();
  for (let i = 0, x = 1; i < 3e7; i++) x = (x * 31 + i) | 0;
  console.log(performance.now() - began);`;

async function spin(core: string | null): Promise<number> {
  const [command, ...args] = pinned(core, [process.execPath, '-e', SPIN]);
  const times: number[] = [];
  // The shortest of a few is hardly disturbed by what lasts a moment only.
  for (let i = 0; i < 3; i++) times.push(Number((await promisify(execFile)(command, args)).stdout));
  return Math.min(...times);
}
