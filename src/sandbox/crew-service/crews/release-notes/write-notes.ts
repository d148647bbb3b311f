import { type Change, KINDS } from './changes.ts';
import { type Headings, headings } from './headings.ts';
import type { NotesStyle } from './notes-style.ts';

export type NotesFacts = {
  readonly project: string;
  readonly since: string;
};

/** How many changes a group names before it counts the rest. */
const SHOWN: Readonly<Record<NotesStyle['length'], number>> = { short: 4, medium: 10, long: 10_000 };

type Group = { readonly heading: string; readonly changes: readonly Change[] };

/** The notes as Markdown: a title, one line about the whole, highlights, and the changes in their groups. */
export function writeNotes(changes: readonly Change[], facts: NotesFacts, wanted: NotesStyle): string {
  const words = headings[wanted.language];
  const shown = changes.filter((change) => isShown(change, wanted));
  // Where one person did it all, a name on every line tells nothing.
  const style: NotesStyle = authorsOf(shown).length > 1 ? wanted : { ...wanted, authors: 'hidden' };
  const groups = groupsOf(shown, style, words);
  const parts = [
    `# ${titleOf(facts, style, words)}`,
    introduction(shown, facts, style),
    highlightsOf(shown, style, words),
    ...groups.map((group) => section(group, style)),
    style.tone === 'friendly' && shown.length > 0 ? 'Thanks for reading, and enjoy the new version!' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function isShown(change: Change, { leftOut, leftOutWords }: NotesStyle): boolean {
  const text = `${change.text}\n${change.author}`.toLowerCase();
  return !leftOut.includes(change.kind) && !leftOutWords.some((words) => text.includes(words));
}

function titleOf({ project }: NotesFacts, { title }: NotesStyle, words: Headings): string {
  if (typeof title === 'string') return title;
  return (
    [`${words.notes}: ${project}`, `${words.news} – ${project}`, `${words.changelog}: ${project}`][title] ?? words.notes
  );
}

function introduction(changes: readonly Change[], { since }: NotesFacts, { tone }: NotesStyle): string {
  if (changes.length === 0) return `Nothing to tell since \`${codeSafe(since)}\`.`;
  const authors = authorsOf(changes);
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  switch (tone) {
    case 'plain': {
      const people = `${authors.length} ${authors.length === 1 ? 'person' : 'people'}`;
      return `**${count}** by **${people}** since \`${codeSafe(since)}\`${period(changes, since)}.`;
    }
    case 'friendly':
      return `Hello everyone! We have been busy: **${count}** since \`${codeSafe(since)}\`. A big thank you to ${named(authors)}. 🎉`;
    case 'dry':
      return `${count} since \`${codeSafe(since)}\`.`;
  }
}

function authorsOf(changes: readonly Change[]): string[] {
  const counts = new Map<string, number>();
  for (const { author } of changes) counts.set(author, (counts.get(author) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([author]) => textSafe(author));
}

function named(authors: readonly string[]): string {
  const first = authors.slice(0, 5);
  const rest = authors.length - first.length;
  const all = rest > 0 ? [...first, `${rest} more`] : first;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** From when to when, in brackets; nothing where `since` says as much. */
function period(changes: readonly Change[], since: string): string {
  const days = changes.map(({ at }) => at.slice(0, 10)).sort();
  const [first, last] = [days.at(0) ?? '', days.at(-1) ?? ''];
  if (first === last) return first === since ? '' : ` (${first})`;
  return ` (${first} to ${last})`;
}

/** What reviewers asked to mention, each with the changes that it seems to mean. */
function highlightsOf(changes: readonly Change[], { highlights }: NotesStyle, words: Headings): string {
  if (highlights.length === 0) return '';
  const lines = highlights.map((text) => {
    const meant = changes
      .filter((change) => change.text.toLowerCase().includes(text.toLowerCase().replace(/^the /, '')))
      .slice(0, 3);
    const from = meant.length > 0 ? ` (${meant.map(({ hash }) => `\`${hash.slice(0, 7)}\``).join(', ')})` : '';
    return `- **${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\s+/g, ' ')}**${from}`;
  });
  return [`## ${words.highlights}`, ...lines].join('\n');
}

function groupsOf(changes: readonly Change[], { groupBy }: NotesStyle, words: Headings): Group[] {
  switch (groupBy) {
    case 'kind':
      return KINDS.map((kind) => ({
        heading: words[kind],
        changes: changes.filter((change) => change.kind === kind),
      })).filter((group) => group.changes.length > 0);
    case 'author':
      return groupedBy(changes, ({ author }) => textSafe(author));
    case 'area':
      return groupedBy(changes, ({ area }) => textSafe(area));
    case 'nothing':
      return changes.length > 0 ? [{ heading: words.all, changes }] : [];
  }
}

/** The largest group first. */
function groupedBy(changes: readonly Change[], name: (change: Change) => string): Group[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) groups.set(name(change), [...(groups.get(name(change)) ?? []), change]);
  return [...groups]
    .map(([heading, members]) => ({ heading, changes: members }))
    .sort((one, other) => other.changes.length - one.changes.length);
}

function section({ heading, changes }: Group, style: NotesStyle): string {
  const shown = changes.slice(0, SHOWN[style.length]);
  const rest = changes.length - shown.length;
  return [
    `## ${heading}`,
    ...shown.map((change) => line(change, style)),
    ...(rest > 0 ? [`- *…and ${rest} more*`] : []),
  ].join('\n');
}

function line(change: Change, { groupBy, hashes, authors, length }: NotesStyle): string {
  const area =
    groupBy === 'area' || length === 'short' || change.area === 'project' ? '' : `**${textSafe(change.area)}:** `;
  const credits = [
    ...(hashes === 'shown' && length !== 'short' ? [`\`${change.hash.slice(0, 7)}\``] : []),
    ...(authors === 'shown' && length !== 'short' && groupBy !== 'author' ? [textSafe(change.author)] : []),
  ];
  const details = length === 'long' && change.details !== '' ? `\n  ${textSafe(change.details.slice(0, 200))}` : '';
  return `- ${area}${subjectSafe(change.text)}${credits.length > 0 ? ` (${credits.join(', ')})` : ''}${details}`;
}

/** Text of a repository must not become headings, links or emphasis of ours. */
function textSafe(text: string): string {
  return plainSafe(text).replace(/\s+/g, ' ').trim();
}

/** The same for a subject, in which names from the code are marked as such. */
function subjectSafe(text: string): string {
  const parts = text.split(/(`[^`]+`)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : plainSafe(part))).join('');
}

/** Brackets stay, as in dependabot[bot], where they make no link. */
function plainSafe(text: string): string {
  return text
    .replace(/[*`~<>|]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\[([^[\]]*)\]\s*(?=[([:])/g, '$1 ')
    .replace(/\]\s*(?=[([:])/g, '')
    .replace(/^\[( |x)\]/i, '$1');
}

function codeSafe(text: string): string {
  return text.replace(/[`\s]+/g, ' ').trim();
}
