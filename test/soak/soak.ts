import { countsLine } from '../faults/counts-line.ts';
import { runSoakPhase, type SoakPhase } from './soak-phase.ts';

/** Keeps a world small, however long the soak is. */
const PHASE_MS = 60_000;

/** Runs phases until the time is over, and reports each of them. */
export async function soak(options: {
  seed: number;
  forMs: number;
  say: (line: string) => void;
}): Promise<SoakPhase[]> {
  const until = performance.now() + options.forMs;
  const phases: SoakPhase[] = [];
  while (performance.now() < until) {
    const seed = options.seed * 1_000 + phases.length;
    const phase = await runSoakPhase({ seed, forMs: Math.min(PHASE_MS, until - performance.now()) });
    phases.push(phase);
    options.say(`phase ${phases.length}: ${summaryOf([phase])}`);
    if (phase.report !== '') options.say(phase.report);
  }
  return phases;
}

/** The counts of all phases in one line. */
export function summaryOf(phases: readonly SoakPhase[]): string {
  const faults = phases.reduce((sum, phase) => sum + phase.faults, 0);
  const scenarios = phases.reduce((sum, phase) => sum + phase.scenarios, 0);
  const violations = phases.flatMap(({ findings }) => findings.flatMap((each) => each.violations)).length;
  const figures = countsLine(phases.flatMap(({ findings }) => findings));
  return `${faults} faults injected, ${scenarios} runs, ${figures}, ${violations} violations`;
}
