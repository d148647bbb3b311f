import type { MessageKey } from '../language/catalogues.ts';
import type { Say } from '../language/say.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { Summary } from './summary.ts';

const TITLE_LENGTH = 40;
/** Of added and of removed sections, by name. */
const MOST_TITLES = 3;

/** `12 lines changed, 3 added, *Tests* removed`; mrkdwn. */
export function summaryText(say: Say, { changed, added, removed, sections }: Summary): string {
  const parts = [
    ...counted(say, 'compare.lines-changed', changed),
    ...counted(say, changed > 0 ? 'compare.added' : 'compare.lines-added', added),
    ...counted(say, changed + added > 0 ? 'compare.removed' : 'compare.lines-removed', removed),
    ...named(sections.added, (title) => say('compare.section-added', { title })),
    ...counted(say, 'compare.sections-added', sections.added.length - MOST_TITLES),
    ...named(sections.removed, (title) => say('compare.section-removed', { title })),
    ...counted(say, 'compare.sections-removed', sections.removed.length - MOST_TITLES),
  ];
  return parts.length === 0 ? say('compare.empty-lines') : parts.join(', ');
}

type Counted = Extract<MessageKey, `compare.${'lines' | 'sections'}-${string}` | 'compare.added' | 'compare.removed'>;

function counted(say: Say, key: Counted, count: number): string[] {
  return count > 0 ? [say(key, { count })] : [];
}

function named(titles: readonly string[], text: (title: string) => string): string[] {
  return titles.slice(0, MOST_TITLES).map((title) => text(escapedLine(title, TITLE_LENGTH)));
}
