// Release notes of commits, without a model: sections that readers look for, what matters first, in the style that
// reviewers ask for.
import { withEdits, withoutEdits } from './edits.ts';
import type { Commit } from './git-history.ts';
import { follow, type Instruction, lengthInstructions, namesIn, withRemark } from './instructions.ts';

export type NotesFacts = {
  readonly project: string;
  readonly since: string;
};

/** The notes as Markdown, following all feedback, oldest first; what it didn't understand of the last is said above them. */
export function writeNotes(changes: readonly Change[], facts: NotesFacts, feedback: readonly string[]): string {
  const { style, notUnderstood } = follow(NOTES_INSTRUCTIONS, feedback.map(withoutEdits), FIRST_STYLE);
  const listed = changes.filter(({ kind }) => !style.leftOut.includes(kind));
  const parts = [
    `# ${style.title ?? `Release notes: ${facts.project}`}`,
    introduction(listed, facts),
    ...sections(listed, style),
    ...thanks(listed, style),
  ];
  const { draft, notMade } = withEdits(parts.join('\n\n'), feedback);
  return withRemark(draft, { notUnderstood, notMade }, NOTES_INSTRUCTIONS);
}

type Kind = 'breaking' | 'features' | 'fixes' | 'performance' | 'other' | 'docs' | 'tests' | 'chores';
type Section = { readonly heading: string; readonly counted: string; readonly kinds: readonly Kind[] };

const UNDER_THE_HOOD: Section = {
  heading: 'Under the hood',
  counted: 'under the hood',
  kinds: ['docs', 'tests', 'chores'],
};

/** In the order in which a reader wants to see them. */
const SECTIONS: readonly Section[] = [
  { heading: 'Breaking', counted: 'breaking', kinds: ['breaking'] },
  { heading: 'What’s new', counted: 'new', kinds: ['features'] },
  { heading: 'Fixed', counted: 'fixed', kinds: ['fixes'] },
  { heading: 'Faster', counted: 'faster', kinds: ['performance'] },
  { heading: 'Other changes', counted: 'other', kinds: ['other'] },
  UNDER_THE_HOOD,
];

/** The names that people use for them. */
const NAMES: Readonly<Record<string, readonly Kind[]>> = {
  breaking: ['breaking'],
  'breaking changes': ['breaking'],
  new: ['features'],
  "what's new": ['features'],
  features: ['features'],
  'new features': ['features'],
  fixed: ['fixes'],
  fixes: ['fixes'],
  'bug fixes': ['fixes'],
  faster: ['performance'],
  performance: ['performance'],
  other: ['other'],
  'other changes': ['other'],
  docs: ['docs'],
  documentation: ['docs'],
  tests: ['tests'],
  chores: ['chores'],
  'under the hood': UNDER_THE_HOOD.kinds,
  'technical details': UNDER_THE_HOOD.kinds,
};

const KINDS = [...new Set(Object.values(NAMES).flat())];

export type NotesStyle = {
  readonly title: string | undefined;
  /** The number of changes that a section names before it counts the rest. */
  readonly perSection: number;
  readonly groupBy: 'kind' | 'author' | 'area';
  readonly leftOut: readonly Kind[];
};

export const FIRST_STYLE: NotesStyle = { title: undefined, perSection: 8, groupBy: 'kind', leftOut: [] };

export const NOTES_INSTRUCTIONS: readonly Instruction<NotesStyle>[] = [
  ...lengthInstructions<NotesStyle>(),
  {
    form: 'all changes',
    also: ['show all changes', 'list all changes'],
    change: (style) => ({ ...style, perSection: Number.POSITIVE_INFINITY }),
  },
  {
    form: 'leave out SECTIONS',
    also: ['drop', 'remove', 'skip', 'without', 'no'],
    change(style, words) {
      const kinds = namesIn(words, NAMES);
      return kinds && { ...style, leftOut: [...style.leftOut, ...kinds] };
    },
  },
  {
    form: 'only SECTIONS',
    also: ['just'],
    change(style, words) {
      const kinds = namesIn(words, NAMES);
      return kinds && { ...style, leftOut: KINDS.filter((kind) => !kinds.includes(kind)) };
    },
  },
  { form: 'group by author', change: (style) => ({ ...style, groupBy: 'author' }) },
  { form: 'group by area', change: (style) => ({ ...style, groupBy: 'area' }) },
  { form: 'group by kind', change: (style) => ({ ...style, groupBy: 'kind' }) },
  { form: 'title: TEXT', change: (style, title) => ({ ...style, title }) },
];

/** Returns a paragraph with the counts of each kind, and since when. */
function introduction(changes: readonly Change[], facts: NotesFacts): string {
  const since = `since \`${facts.since.replace(/[`\s]+/g, ' ')}\``;
  if (changes.length === 0) return `No changes ${since}.`;
  const counts = SECTIONS.flatMap(({ counted, kinds }) => {
    const count = changes.filter(({ kind }) => kinds.includes(kind)).length;
    return count === 0 ? [] : [`${count} ${counted}`];
  });
  const number = `**${changes.length} change${changes.length === 1 ? '' : 's'}**`;
  return `${number} ${since} (${period(changes)}): ${counts.join(', ')}.`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

function period(changes: readonly Change[]): string {
  const days = changes.map(({ at }) => Date.parse(at.slice(0, 10)));
  // ICU's versions differ in the spaces around the dash.
  return DAY.formatRange(Math.min(...days), Math.max(...days)).replace(/\s*–\s*/, ' to ');
}

function sections(changes: readonly Change[], style: NotesStyle): string[] {
  if (style.groupBy === 'kind') {
    return SECTIONS.flatMap((section) => {
      const most = section === UNDER_THE_HOOD ? Math.ceil(style.perSection / 2) : style.perSection;
      const members = changes.filter(({ kind }) => section.kinds.includes(kind));
      return sectionOf(members, { heading: section.heading, most, style });
    });
  }
  const { groupBy } = style;
  return [...new Set(changes.map((change) => change[groupBy]))].flatMap((name) => {
    const members = changes.filter((change) => change[groupBy] === name);
    return sectionOf(members, { heading: textSafe(name) || 'Project', most: style.perSection, style });
  });
}

type SectionShape = { readonly heading: string; readonly most: number; readonly style: NotesStyle };

function sectionOf(members: readonly Change[], { heading, most, style }: SectionShape): string[] {
  if (members.length === 0) return [];
  const lines = members.slice(0, most).map((change) => line(change, style));
  const rest = members.length - lines.length;
  return [[`## ${heading}`, ...lines, ...(rest > 0 ? [`- *…and ${rest} more*`] : [])].join('\n')];
}

/** Notes that were asked to be shorter than the first draft name the change alone; longer ones explain it. */
function line({ text, scope, author, hash, details, remedy }: Change, { perSection, groupBy }: NotesStyle): string {
  const subject = textSafe(text);
  if (perSection < FIRST_STYLE.perSection) return `- ${subject}`;
  const area = textSafe(scope);
  const about = groupBy === 'area' || area === '' ? '' : `**${area.charAt(0).toUpperCase()}${area.slice(1)}:** `;
  const isLong = perSection > FIRST_STYLE.perSection;
  const source = isLong ? ` (\`${hash.slice(0, 7)}\`${groupBy === 'author' ? '' : `, ${textSafe(author)}`})` : '';
  const explained = remedy === '' && isLong ? details : remedy;
  return `- ${about}${subject}${source}${explained === '' ? '' : `. ${textSafe(explained).slice(0, 300)}`}`;
}

const MOST_THANKED = 8;

/** Names each author once: nobody reads the same name on each line. */
function thanks(changes: readonly Change[], { groupBy, perSection }: NotesStyle): string[] {
  const people = [...new Set(changes.map(({ author }) => textSafe(author)))].sort((a, b) => a.localeCompare(b));
  if (people.length < 2 || groupBy === 'author' || perSection < FIRST_STYLE.perSection) return [];
  const names = people.length > MOST_THANKED ? [`${people.length} people`] : people;
  return [`Thanks to ${new Intl.ListFormat('en-GB').format(names)}.`];
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

/** A commit as a reader of release notes sees it. */
export type Change = {
  readonly kind: Kind;
  /** The area that the commit names; '' if it names none. */
  readonly scope: string;
  /** The scope, or the folder of its first file. '' where it has neither. */
  readonly area: string;
  readonly text: string;
  /** The first paragraph of its message's body. */
  readonly details: string;
  /** The instruction in the message of a breaking change. */
  readonly remedy: string;
  readonly author: string;
  readonly hash: string;
  readonly at: string;
};

/** https://www.conventionalcommits.org/en/v1.0.0/ */
const CONVENTIONAL = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<breaking>!)?: +(?<rest>\S.*)$/i;
const BREAKING = /^BREAKING[ -]CHANGE: *(?<remedy>(?:.|\n(?!\n))*)/m;

const KIND_OF_TYPE: ReadonlyMap<string, Kind> = new Map([
  ['feat', 'features'],
  ['fix', 'fixes'],
  ['perf', 'performance'],
  ['docs', 'docs'],
  ['test', 'tests'],
  ['build', 'chores'],
  ['chore', 'chores'],
  ['ci', 'chores'],
  ['refactor', 'chores'],
  ['style', 'chores'],
]);

export function changeOf({ subject, body, files, author, hash, at }: Commit): Change {
  const { type = '', scope = '', breaking, rest } = CONVENTIONAL.exec(subject)?.groups ?? {};
  const kind = KIND_OF_TYPE.get(type.toLowerCase());
  const text = (kind && rest) ?? subject;
  const remedy = BREAKING.exec(body)?.groups?.remedy;
  const breaks = breaking !== undefined || remedy !== undefined;
  const ownScope = kind ? scope : '';
  return {
    kind: breaks ? 'breaking' : (kind ?? kindOf(files)),
    scope: ownScope,
    area: ownScope || folderOf(files),
    text: `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\.$/, ''),
    details: body.split('\n\n')[0] ?? '',
    remedy: remedy ?? '',
    author,
    hash,
    at,
  };
}

function kindOf(files: readonly string[]): Kind {
  if (files.length === 0) return 'other';
  if (files.every((file) => /^tests?\//.test(file))) return 'tests';
  return files.every((file) => file.endsWith('.md')) ? 'docs' : 'other';
}

function folderOf(files: readonly string[]): string {
  const [top = '', second = '', ...below] = files.find((file) => file.includes('/'))?.split('/') ?? [];
  return top === 'src' && below.length > 0 ? `${top}/${second}` : top;
}
