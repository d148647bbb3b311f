import type { KnownBlock } from '@slack/types';
import type { AbsenceOutcome, AbsenceReport } from '../../core/inbox/person-settings.ts';
import type { OpenRequest } from '../../core/inbox/snapshot.ts';
import { cardNames } from '../approval/card-names.ts';
import { takeOverText } from '../approval/denial-text.ts';
import type { Say } from '../language/say.ts';
import { section } from '../ui/blocks.ts';
import { bulleted } from '../ui/bulleted.ts';

/** Each list names at most this many requests. */
const MOST_NAMED = 10;

const HEADS = {
  'handed-over': 'settings.handed-over',
  anyway: 'settings.anyway',
  refused: 'settings.refused',
  'not-passed-on': 'settings.not-passed-on',
  open: 'settings.still-open',
} as const;

/** What was handed over to a stand-in and what wasn't, with the reason. `who` is their name, escaped. */
export function reportBlocks({ items }: AbsenceReport, { who, say }: { who: string; say: Say }): KnownBlock[] {
  if (items.length === 0) return [section(say('settings.nothing-waits', { who }))];
  return (Object.keys(HEADS) as (keyof typeof HEADS)[]).flatMap((kind) => {
    const lines = items
      .filter(({ outcome }) => outcome.kind === kind)
      .map(({ request, outcome }) => lineOf(request, outcome, { who, say }));
    const more = lines.length - MOST_NAMED;
    const shown = [...lines.slice(0, MOST_NAMED), ...(more > 0 ? [say('settings.more', { count: more })] : [])];
    return lines.length === 0 ? [] : [section([`*${say(HEADS[kind], { who })}*`, ...bulleted(shown)].join('\n'))];
  });
}

function lineOf(
  { run: { crew }, taskName, round }: OpenRequest,
  outcome: AbsenceOutcome,
  { who, say }: { who: string; say: Say },
): string {
  const names = cardNames({ crew, taskName, round }, say);
  return outcome.kind === 'refused' ? `${names}: ${takeOverText(outcome.denial, { who, say })}` : names;
}
