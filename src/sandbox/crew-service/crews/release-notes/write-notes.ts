import { withEdits, withoutEdits } from '../edits.ts';
import { follow } from '../instructions.ts';
import { withRemark } from '../remark.ts';
import { type Change, KINDS } from './changes.ts';
import { FIRST_STYLE, NOTES_INSTRUCTIONS, type NotesStyle } from './notes-style.ts';

export type NotesFacts = {
  readonly project: string;
  readonly since: string;
};

/** The notes as Markdown, following all feedback, oldest first; what it can't follow of the last is said above them. */
export function writeNotes(changes: readonly Change[], facts: NotesFacts, feedback: readonly string[]): string {
  const { style, notFollowed } = follow(NOTES_INSTRUCTIONS, feedback.map(withoutEdits), FIRST_STYLE);
  const shown = changes.filter(({ kind }) => !style.leftOut.includes(kind));
  const parts = [
    `# ${style.title ?? `Release notes: ${facts.project}`}`,
    introduction(shown, facts),
    ...sections(shown, style),
  ];
  const { draft, notMade } = withEdits(parts.join('\n\n'), feedback);
  return withRemark(draft, [...notFollowed, ...notMade], NOTES_INSTRUCTIONS);
}

function introduction(changes: readonly Change[], facts: NotesFacts): string {
  const since = `since \`${facts.since.replace(/[`\s]+/g, ' ')}\``;
  if (changes.length === 0) return `No changes ${since}.`;
  const people = new Set(changes.map(({ author }) => author)).size;
  const days = changes.map(({ at }) => at.slice(0, 10)).sort();
  const period = [...new Set([days.at(0), days.at(-1)])].join(' to ');
  return `**${counted(changes.length, 'change')}** by **${counted(people, 'author')}** ${since} (${period}).`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function sections(changes: readonly Change[], style: NotesStyle): string[] {
  const names = style.groupBy === 'kind' ? KINDS : new Set(changes.map((change) => change[style.groupBy]));
  return [...names].flatMap((name) => {
    const members = changes.filter((change) => change[style.groupBy] === name);
    if (members.length === 0) return [];
    const lines = members.slice(0, style.perSection).map((change) => line(change, style));
    const rest = members.length - lines.length;
    return [[`## ${textSafe(name) || 'Project'}`, ...lines, ...(rest > 0 ? [`- *…and ${rest} more*`] : [])].join('\n')];
  });
}

/** Notes that were asked to be shorter than the first draft name the change alone; longer ones explain it. */
function line({ text, area, author, hash, details }: Change, { perSection, groupBy }: NotesStyle): string {
  const subject = textSafe(text);
  if (perSection < FIRST_STYLE.perSection) return `- ${subject}`;
  const about = groupBy === 'area' || area === '' ? '' : `**${textSafe(area)}:** `;
  const by = groupBy === 'author' ? '' : `, ${textSafe(author)}`;
  const explained =
    perSection > FIRST_STYLE.perSection && details !== '' ? `\n  ${textSafe(details).slice(0, 200)}` : '';
  return `- ${about}${subject} (\`${hash.slice(0, 7)}\`${by})${explained}`;
}

/** Text from a repository must not turn into headings, links, mentions or emphasis. */
function textSafe(text: string): string {
  const words = text.replace(/\s+/g, ' ').replace(/[*`~<>|\\]/g, '');
  return words
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replace(/^[ #+-]+ /, '')
    .trim();
}
