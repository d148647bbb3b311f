import { withEdits, withoutEdits } from './edits.ts';
import type { Commit } from './git-history.ts';
import { follow, type Instructions, namesIn, withRemark } from './instructions.ts';

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

/** How the notes are to look. */
type NotesStyle = {
  readonly title: string | undefined;
  /** How many changes a section names before it counts the rest. */
  readonly perSection: number;
  readonly groupBy: 'kind' | 'author' | 'area';
  readonly leftOut: readonly Kind[];
};

export const FIRST_STYLE: NotesStyle = { title: undefined, perSection: 8, groupBy: 'kind', leftOut: [] };

export const NOTES_INSTRUCTIONS: Instructions<NotesStyle> = {
  shorter: (style) => ({ ...style, perSection: Math.ceil(style.perSection / 2) }),
  longer: (style) => ({ ...style, perSection: style.perSection * 2 }),
  'all changes': (style) => ({ ...style, perSection: Number.POSITIVE_INFINITY }),
  'leave out SECTIONS': (style, words) => {
    const kinds = namesIn(words, KINDS);
    return kinds && { ...style, leftOut: [...style.leftOut, ...kinds] };
  },
  'only SECTIONS': (style, words) => {
    const kinds = namesIn(words, KINDS);
    return kinds && { ...style, leftOut: KINDS.filter((kind) => !kinds.includes(kind)) };
  },
  'group by author': (style) => ({ ...style, groupBy: 'author' }),
  'group by area': (style) => ({ ...style, groupBy: 'area' }),
  'group by kind': (style) => ({ ...style, groupBy: 'kind' }),
  'title: TEXT': (style, title) => ({ ...style, title }),
};

/** The sections of the notes, in the order in which a reader wants to see them. */
export const KINDS = [
  ...(['Breaking changes', 'Features', 'Fixes', 'Performance'] as const),
  ...(['Other changes', 'Docs', 'Tests', 'Chores'] as const),
];

type Kind = (typeof KINDS)[number];

/** A commit as a reader of release notes sees it. */
export type Change = {
  readonly kind: Kind;
  /** What part of the project it is about: its scope, or the folder of its first file. '' where it has neither. */
  readonly area: string;
  readonly text: string;
  /** The first paragraph of its message's body. */
  readonly details: string;
  readonly author: string;
  readonly hash: string;
  readonly at: string;
};

/** https://www.conventionalcommits.org/en/v1.0.0/ */
const CONVENTIONAL = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<breaking>!)?: +(?<rest>\S.*)$/i;

const KIND_OF_TYPE: ReadonlyMap<string, Kind> = new Map([
  ['feat', 'Features'],
  ['fix', 'Fixes'],
  ['perf', 'Performance'],
  ['docs', 'Docs'],
  ['test', 'Tests'],
  ['build', 'Chores'],
  ['chore', 'Chores'],
  ['ci', 'Chores'],
  ['refactor', 'Chores'],
  ['style', 'Chores'],
]);

export function changeOf({ subject, body, files, author, hash, at }: Commit): Change {
  const { type = '', scope, breaking, rest } = CONVENTIONAL.exec(subject)?.groups ?? {};
  const typed = KIND_OF_TYPE.get(type.toLowerCase());
  const text = (typed && rest) ?? subject;
  const breaks = breaking !== undefined || /^BREAKING[ -]CHANGE:/m.test(body);
  return {
    kind: breaks ? 'Breaking changes' : (typed ?? kindOf(files)),
    area: (typed && scope) ?? folderOf(files),
    text: `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\.$/, ''),
    details: body.split('\n\n')[0] ?? '',
    author,
    hash,
    at,
  };
}

/** Of a commit without a type. */
function kindOf(files: readonly string[]): Kind {
  if (files.length === 0) return 'Other changes';
  if (files.every((file) => /^tests?\//.test(file))) return 'Tests';
  return files.every((file) => file.endsWith('.md')) ? 'Docs' : 'Other changes';
}

function folderOf(files: readonly string[]): string {
  const [top = '', second = '', ...below] = files.find((file) => file.includes('/'))?.split('/') ?? [];
  return top === 'src' && below.length > 0 ? `${top}/${second}` : top;
}
