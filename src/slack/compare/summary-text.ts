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
    ...named(say, 'compare.sections-added', sections.added),
    ...named(say, 'compare.sections-removed', sections.removed),
  ];
  return parts.length === 0 ? say('compare.empty-lines') : parts.join(', ');
}

type Counted = Extract<MessageKey, `compare.lines-${string}` | 'compare.added' | 'compare.removed'>;

function counted(say: Say, key: Counted, count: number): string[] {
  return count > 0 ? [say(key, { count })] : [];
}

function named(
  say: Say,
  key: 'compare.sections-added' | 'compare.sections-removed',
  titles: readonly string[],
): string[] {
  if (titles.length === 0) return [];
  const shown = titles.slice(0, MOST_TITLES).map((title) => `*${escapedLine(title, TITLE_LENGTH)}*`);
  const more = titles.length - shown.length;
  return [say(key, { titles: say.list([...shown, ...(more > 0 ? [say('list.more', { count: more })] : [])]) })];
}
