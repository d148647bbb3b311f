import type { Commit } from './git-history.ts';

/** In the order in which a reader wants to see them. */
export const KINDS = [
  ...(['breaking', 'features', 'fixes', 'performance', 'changes'] as const),
  ...(['docs', 'tests', 'chores', 'merges'] as const),
];

export type Kind = (typeof KINDS)[number];

/** A commit as a reader of release notes sees it. */
export type Change = {
  readonly kind: Kind;
  /** What part of the project it is about: its scope, else the folder that most of its files are in. */
  readonly area: string;
  readonly text: string;
  readonly author: string;
  readonly hash: string;
  readonly at: string;
  readonly details: string;
};

/** https://www.conventionalcommits.org/en/v1.0.0/ */
const CONVENTIONAL = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<breaking>!)?: +(?<rest>\S.*)$/i;

const KIND_OF_TYPE = new Map<string, Kind>([
  ['feat', 'features'],
  ['feature', 'features'],
  ['fix', 'fixes'],
  ['bugfix', 'fixes'],
  ['hotfix', 'fixes'],
  ['perf', 'performance'],
  ['docs', 'docs'],
  ['doc', 'docs'],
  ['test', 'tests'],
  ['tests', 'tests'],
  ['chore', 'chores'],
  ['build', 'chores'],
  ['ci', 'chores'],
  ['style', 'chores'],
  ['refactor', 'chores'],
  ['release', 'chores'],
  ['deps', 'chores'],
]);

/** For subjects without a type: their first words say what they are, in the order of these lines. */
const KIND_OF_WORDS: readonly (readonly [RegExp, Kind])[] = [
  [
    /^(?:bump|upgrade|update) .*(?:dependenc|version|lockfile|packages?\b| from \S+ to )|^(?:bump|release|prepare release|lint|format|reformat)\b/i,
    'chores',
  ],
  [/^(?:fix|correct|repair|resolve|prevent|avoid|handle|don't|do not|stop)\b/i, 'fixes'],
  [/^(?:speed up|optimi[sz]e|cache)\b|\bfaster\b/i, 'performance'],
  [/^(?:document|describe|explain)\b|\b(?:readme|docs?|documentation|changelog)\b/i, 'docs'],
  [/^(?:test|cover)\b|\b(?:tests?|coverage)$/i, 'tests'],
  [
    /^(?:add|introduce|support|allow|implement|let|offer|show|enable|new|give|serve|host|render|start|store|speak|talk|model|draw|share|connect|say|link|bring|accept|provide|create)\b/i,
    'features',
  ],
  [/^(?:refactor|clean up|tidy|rename|move|remove unused|simplify)\b/i, 'chores'],
];

/**
 * The changes that these commits made, newest first: prefixes cleaned away, a revert and what it reverts left out both,
 * and the same text by the same author named once.
 */
export function changesIn(commits: readonly Commit[]): Change[] {
  const reverted = new Set(
    commits.flatMap(({ body }) =>
      [...body.matchAll(/This reverts commit ([0-9a-f]{7,64})/g)].map((match) => match[1] ?? ''),
    ),
  );
  const undone = new Set(
    [...reverted].flatMap((prefix) => commits.filter(({ hash }) => hash.startsWith(prefix)).map(({ hash }) => hash)),
  );
  const undoes = ({ body }: Commit) =>
    [...undone].some((hash) => body.includes(`This reverts commit ${hash.slice(0, 7)}`));
  const standing = commits.filter((commit) => !undone.has(commit.hash) && !undoes(commit));
  const seen = new Set<string>();
  return standing.map(changeOf).filter(({ text, author }) => {
    const key = `${author}\n${text.toLowerCase()}`;
    return !seen.has(key) && seen.add(key);
  });
}

function changeOf(commit: Commit): Change {
  const { type, scope, breaking, rest } = CONVENTIONAL.exec(commit.subject)?.groups ?? {};
  const known = KIND_OF_TYPE.get(type?.toLowerCase() ?? '');
  const subject = known === undefined ? commit.subject : (rest ?? commit.subject);
  const breaks = breaking !== undefined || /^BREAKING[ -]CHANGE:/m.test(commit.body);
  return {
    kind: commit.isMerge
      ? 'merges'
      : breaks
        ? 'breaking'
        : (known ?? kindByFiles(commit.files) ?? kindByWords(subject)),
    area: (known === undefined ? undefined : scope) ?? mainFolder(commit.files),
    text: cleaned(subject),
    author: commit.author,
    hash: commit.hash,
    at: commit.at,
    details: commit.body.split('\n\n')[0]?.replaceAll('\n', ' ') ?? '',
  };
}

/** Where all files of a commit are of one kind, so is the commit. */
function kindByFiles(files: readonly string[]): Kind | undefined {
  const all = (pattern: RegExp) => files.length > 0 && files.every((file) => pattern.test(file));
  if (all(/(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec)\.\w+$|_test\.\w+$/)) return 'tests';
  if (all(/\.(?:md|rst|adoc)$|^docs?\//i)) return 'docs';
  return all(/^\.(?:ci|github|gitlab|circleci)|(?:^|\/)[\w.-]*lock[\w.-]*\.(?:json|ya?ml)$|\.lock$/)
    ? 'chores'
    : undefined;
}

function kindByWords(subject: string): Kind {
  return KIND_OF_WORDS.find(([words]) => words.test(subject))?.[1] ?? 'changes';
}

const LONGEST_SUBJECT = 300;

function cleaned(subject: string): string {
  const text = subject.slice(0, LONGEST_SUBJECT).trim().replace(/\s+/g, ' ').replace(/\.$/, '');
  return codeMarked(text.charAt(0).toUpperCase() + text.slice(1));
}

/** Names from the code look like code: `--flag`, `call()`, `List<Item>`, `path/file.ts`, `snake_case`, `__init__`. */
function codeMarked(text: string): string {
  if (text.includes('`')) return text;
  return text.replace(CODE, '`$&`');
}

const CODE = new RegExp(
  [
    '(?<![\\w/.@-])(?:',
    [
      '--?[a-z][\\w-]*',
      '[\\w.]+\\(\\)',
      '\\w+<[\\w.,|]+>',
      '(?:[\\w.-]+/)+[\\w.-]*\\w',
      '\\w*_\\w*',
      '(?:[a-z][\\w.-]*|[A-Z]+)\\.(?:ts|js|mjs|json|md|ya?ml|py|go|rs|css|html|sh)',
    ].join('|'),
    ')(?![\\w/-])',
  ].join(''),
  'g',
);

function mainFolder(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    const [top = '', second, third] = file.split('/');
    const folder = second === undefined ? 'project' : third === undefined || top !== 'src' ? top : `${top}/${second}`;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'project';
}
