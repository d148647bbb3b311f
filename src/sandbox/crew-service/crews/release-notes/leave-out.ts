import { partsOf, unquoted } from '../instructions.ts';
import { KINDS, type Kind } from './changes.ts';
import type { NotesStyle } from './notes-style.ts';

const KIND_NAMES: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:chores?|house ?keeping|maintenance|internals?|refactor(?:ing)?s?|build|ci)$/, 'chores'],
  [/^(?:merges?|merge commits?)$/, 'merges'],
  [/^(?:tests?|testing)$/, 'tests'],
  [/^(?:docs?|documentation)$/, 'docs'],
  [/^(?:fix(?:es)?|bug ?fix(?:es)?|bugs?)$/, 'fixes'],
  [/^(?:features?|new features?|news)$/, 'features'],
  [/^(?:performance|speed|optimi[sz]ations?)$/, 'performance'],
  [/^(?:breaking|breaking changes?)$/, 'breaking'],
  [/^(?:other|others|other changes|misc|miscellaneous)$/, 'changes'],
];

function kindNamed(part: string): Kind | undefined {
  const name = part
    .toLowerCase()
    .replace(/`/g, '')
    .replace(/^(?:(?:anything|everything|all|stuff|things) (?:about|on|with) |all |any |the |of |more )+/, '')
    .replace(/\s+(?:commits?|changes|sections?|stuff|entries|ones|updates)$/, '');
  return KIND_NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

/** Leaves out all kinds but these. Undefined where one of them is no kind. */
export function only(style: NotesStyle, words: string): NotesStyle | undefined {
  const kinds = partsOf(words).map(kindNamed);
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined;
  return { ...style, leftOut: KINDS.filter((kind) => !kinds.includes(kind)) };
}

/** Leaves out kinds, people, subjects, hashes or names. Undefined where one part says nothing of the sort. */
export function leaveOut(style: NotesStyle, words: string): NotesStyle | undefined {
  return partsOf(words).reduce<NotesStyle | undefined>((before, part) => before && withoutPart(before, part), style);
}

function withoutPart(style: NotesStyle, part: string): NotesStyle | undefined {
  const kind = kindNamed(part);
  if (kind) return { ...style, leftOut: [...new Set([...style.leftOut, kind])] };
  if (HASHES.test(part)) return { ...style, hashes: 'hidden' };
  if (AUTHORS.test(part)) return { ...style, authors: 'hidden' };
  if (HIGHLIGHTS.test(part)) return { ...style, highlights: [] };
  const words = wordsToLeaveOut(part);
  return words === undefined
    ? undefined
    : { ...style, leftOutWords: [...style.leftOutWords, unquoted(words).toLowerCase()] };
}

const ABOUT =
  /^(?:(?:the|all|any|anything|every(?:thing)?) )*(?:commits?|changes?|things?|stuff|entries|work)? ?(?:by|from|about|on|of|mentioning|containing|with) (.+)$/i;
const DEPENDENCIES =
  /^(?:the |all )*(?:dependenc(?:y|ies)|deps)?\b ?(?:version )?(?:bumps?|updates?|upgrades?|changes)?$/i;

/** What was named by its author or subject, or quoted. */
function wordsToLeaveOut(part: string): string | undefined {
  if (DEPENDENCIES.test(part)) return 'bump ';
  return ABOUT.exec(part)?.[1] ?? (/^["“]/.test(part) ? part : undefined);
}

const HASHES = /^(?:the |all )*(?:commit )?(?:hash(?:es)?|ids?|shas?|links?)$/i;
const AUTHORS = /^(?:the |all )*(?:authors?|names?|author names?|credits|people)$/i;
const HIGHLIGHTS = /^(?:the )?highlights?$/i;

/** The opposite of leaving out. */
export function bringBack(style: NotesStyle, words: string): NotesStyle | undefined {
  return partsOf(words).reduce<NotesStyle | undefined>((before, part) => before && withPart(before, part), style);
}

function withPart(style: NotesStyle, part: string): NotesStyle | undefined {
  const kind = kindNamed(part);
  if (kind) return { ...style, leftOut: style.leftOut.filter((one) => one !== kind) };
  if (HASHES.test(part)) return { ...style, hashes: 'shown' };
  if (AUTHORS.test(part)) return { ...style, authors: 'shown' };
  return undefined;
}
