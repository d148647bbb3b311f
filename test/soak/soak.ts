import { figuresOf } from '../faults/figures.ts';
import { runSeason, type Season } from './season.ts';

/** A season is as long as this, so that a world stays small however long the soak is. */
const SEASON_MS = 60_000;

/** Runs seasons until the time is over and says after each how it went. Resolves to all of them. */
export async function soak(options: { seed: number; forMs: number; say: (line: string) => void }): Promise<Season[]> {
  const until = performance.now() + options.forMs;
  const seasons: Season[] = [];
  while (performance.now() < until) {
    const seed = options.seed * 1_000 + seasons.length;
    const season = await runSeason({ seed, forMs: Math.min(SEASON_MS, until - performance.now()) });
    seasons.push(season);
    options.say(`season ${seasons.length}: ${summaryOf([season])}`);
    if (season.report !== '') options.say(season.report);
  }
  return seasons;
}

/** The figures of all seasons in one line. */
export function summaryOf(seasons: readonly Season[]): string {
  const mishaps = seasons.reduce((sum, season) => sum + season.mishaps, 0);
  const errands = seasons.reduce((sum, season) => sum + season.errands, 0);
  const violations = seasons.flatMap(({ judgements }) => judgements.flatMap((each) => each.violations)).length;
  const figures = figuresOf(seasons.flatMap(({ judgements }) => judgements));
  return `${mishaps} faults injected, ${errands} runs, ${figures}, ${violations} violations`;
}
