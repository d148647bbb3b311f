import type { Commit } from './git-history.ts';

/** The sections of the notes, in the order in which a reader wants to see them. */
export const KINDS = [
  ...(['Breaking changes', 'Features', 'Fixes', 'Performance'] as const),
  ...(['Other changes', 'Docs', 'Tests', 'Chores'] as const),
];

export type Kind = (typeof KINDS)[number];

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
