// Which outcome a person's feedback means.
import type { FeedbackRequest } from './run.ts';

/**
 * The outcome that a feedback begins with, else the first one that it names, else the default one, else the last; capitals
 * don't matter, and a longer name goes before a shorter one that it begins with. null where there is nothing to choose from.
 * Deployed services have a model read the feedback: this stands in for it, and comes to the same answer each time.
 */
export function outcomeOf(feedback: string, { outcomes, defaultOutcome }: Questioned): string | null {
  const text = feedback.trim().toLowerCase();
  const places = outcomes.map((name) => ({ name, at: text.indexOf(name.toLowerCase()) })).filter(({ at }) => at !== -1);
  const [first] = places.sort((one, other) => one.at - other.at || other.name.length - one.name.length);
  return first?.name ?? defaultOutcome ?? outcomes.at(-1) ?? null;
}

type Questioned = Pick<FeedbackRequest, 'outcomes' | 'defaultOutcome'>;
