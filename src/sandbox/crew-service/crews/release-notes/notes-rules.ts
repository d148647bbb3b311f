import { unquoted } from '../instructions.ts';
import { languageNamed } from './headings.ts';
import { bringBack, leaveOut, only } from './leave-out.ts';
import type { NotesStyle } from './notes-style.ts';

type Rule = readonly [
  pattern: RegExp,
  change: (style: NotesStyle, words: string, whole: string) => NotesStyle | undefined,
];

const MAKE = [
  '(?:(?:make|keep|write) (?:it|them|this|that|the (?:draft|notes|text|tone|whole thing)) |(?:use|with|in) an? |be )?',
  '(?:a bit |a little |a lot |much |even |way |slightly |far )?(?:more )?',
].join('');

const RULES: readonly Rule[] = [
  [
    /^(?:(?:change|set|use|give it|make|i want) )?(?:the |a |an )?(?:different|other|another|new|better) title$/i,
    (style) => ({ ...style, title: nextTitle(style) }),
  ],
  [
    /^(?:(?:change|set|use) )?(?:the |a |an )?(?:(?:different|other|another|new|better) )?title(?: should be| to| as| is(?! (?:too|not|wrong|bad|boring|unclear)\b)|:|,|(?= ["“'])) ?(?<words>.+)$/i,
    titled,
  ],
  [/^(?:make|use|take|have) (?<words>.+?)(?: as)? (?:the |its )?title$/i, titled],
  [/^(?:call|name|rename|title) (?:it|this|them|the (?:release |draft |notes|title)*)(?: to)? (?<words>.+)$/i, titled],
  [
    /^(?:don't group|do not group|no grouping|no groups|ungroup|(?:make it |use )?(?:one|a single|a flat) list)\b/i,
    (style) => ({ ...style, groupBy: 'nothing' }),
  ],
  [
    /^(?:group|sort|order|arrange|organi[sz]e|split|structure|list)\b.* (?:by|per) (?:the )?(?<words>[a-z]+)$/i,
    (style, words) => grouped(style, words),
  ],
  [
    new RegExp(
      `^${MAKE}(?:shorter|shorten(?: it| this| them)?|short|brief|briefer|concise|compact|condensed?|(?:cut|trim) (?:it )?down|too long|half (?:as long|the (?:length|size))|(?:with )?(?:less|fewer) details?|less (?:text|verbose|wordy))$`,
      'i',
    ),
    (style, _words, whole) => shorter(style, whole),
  ],
  [/^(?:way |much |far |still |a bit |a little )*too long$/i, (style, _words, whole) => shorter(style, whole)],
  [
    new RegExp(
      `^${MAKE}(?:longer|lengthen(?: it| this| them)?|long|detailed|complete|verbose|details?|expand(?: it)?|elaborate|too short|everything|all (?:of the )?commits)$`,
      'i',
    ),
    longer,
  ],
  [
    /^(?:(?:show|list|include|give|add) )?(?:me )?(?:more details?|all (?:of )?(?:the )?(?:commits|changes)|everything)$/i,
    longer,
  ],
  [/^(?:way |much |far |still |a bit |a little )*too short$/i, longer],
  [
    /\bthank(?:s|ing| you)?\b.*\b(?:team|everyone|everybody|all|authors|contributors)$/i,
    (style) => ({ ...style, tone: 'friendly' }),
  ],
  [
    new RegExp(
      `^${MAKE}(?:friendl(?:y|ier)|warm(?:er)?|casual|cheerful|fun|personal|enthusiastic|less (?:dry|formal|stiff|serious))(?: tone)?$`,
      'i',
    ),
    (style) => ({ ...style, tone: 'friendly' }),
  ],
  [
    new RegExp(
      `^${MAKE}(?:dr(?:y|ier)|formal|factual|neutral|sober|professional|serious|matter-of-fact|less (?:friendly|casual|cheerful|enthusiastic|personal))(?: tone)?$`,
      'i',
    ),
    (style) => ({ ...style, tone: 'dry' }),
  ],
  [
    /^(?:(?:translate|put|write|show|use)?\b.*\b(?:to|into|in)|auf|en) (?<words>[a-zçñê]+)$|^(?:use )?(?<words2>[a-z]+) (?:headings?|headers?|section (?:names?|titles?))$/i,
    translated,
  ],
  [/^(?:only|(?:show|list|keep|include|leave|use) only|just) (?:show |list |keep |include )?(?<words>.+)$/i, only],
  [/^(?:leave out|drop|omit|remove|hide|skip) (?:everything|all) (?:except|but|other than) (?<words>.+)$/i, only],
  [/^(?:leave|keep) (?<words>.+) out$/i, leaveOut],
  [/^(?<words>.+) (?:are|is)(?: not|n't) (?:interesting|needed|important|relevant|necessary)$/i, leaveOut],
  [
    /^(?:i (?:don't|do not) (?:want|need|care)(?: to see| about)?|no need for|we don't need|nobody needs) (?<words>.+)$/i,
    leaveOut,
  ],
  [
    /^(?:leave out|leave off|drop|omit|exclude|skip|remove|hide|without|no|no more|ignore|get rid of|(?:don't|do not) (?:show|list|include|mention)|cut) (?<words>.+)$/i,
    leaveOut,
  ],
  [/^(?:include|add(?: back)?|bring back|put back|keep|show|list|with) (?<words>.+?)(?: back)?$/i, bringBack],
  [
    /^(?:mention|highlight|emphasi[sz]e|point out|call out|stress|note|say|write|add|include) (?:that|about|a (?:highlights? )?(?:note|line|word|sentence|mention|remark|section|paragraph|highlight) (?:about|on|that|of|for)) (?<words>.+)$/i,
    mention,
  ],
  [/^(?:mention|highlight|emphasi[sz]e|point out|call out|stress) (?<words>.+)$/i, mention],
  [
    /^(?:include|add|note) (?!.*\b(?:emojis?|tables?|pictures?|images?|links?|charts?|screenshots?|poems?|jokes?)\b)(?<words>.+)$/i,
    mention,
  ],
  [
    /^(?:more (?:on|about)|more details? (?:on|about)|thank|talk (?:more )?about) (?<words>.+)$/i,
    (style, words, whole) => mention(style, /^thank/i.test(whole) ? whole : words),
  ],
];

/** The style after this instruction; undefined where no rule understands it. */
export function follow(style: NotesStyle, instruction: string): NotesStyle | undefined {
  for (const [pattern, change] of RULES) {
    const match = pattern.exec(instruction);
    const changed = match && change(style, match.groups?.words ?? match.groups?.words2 ?? '', instruction);
    if (changed) return changed;
  }
  return undefined;
}

function titled(style: NotesStyle, words: string): NotesStyle {
  return { ...style, title: unquoted(words) };
}

const OUR_TITLES = 3;

function nextTitle({ title }: NotesStyle): number {
  return typeof title === 'number' ? (title + 1) % OUR_TITLES : 1;
}

function grouped(style: NotesStyle, by: string): NotesStyle | undefined {
  if (/^(?:authors?|person|people|persons?|contributors?|names?|developers?)$/i.test(by))
    return { ...style, groupBy: 'author' };
  if (/^(?:areas?|components?|modules?|folders?|director(?:y|ies)|scopes?|packages?|parts?)$/i.test(by))
    return { ...style, groupBy: 'area' };
  if (/^(?:dates?|time)$/i.test(by)) return { ...style, groupBy: 'nothing' };
  if (/^(?:kinds?|types?|categor(?:y|ies)|sorts?)$/i.test(by)) return { ...style, groupBy: 'kind' };
  return undefined;
}

function shorter(style: NotesStyle, whole: string): NotesStyle {
  return /\b(?:much|way|far|a lot|half|too long)\b/i.test(whole) ? { ...style, length: 'short' } : shorterByOne(style);
}

function shorterByOne(style: NotesStyle): NotesStyle {
  return { ...style, length: style.length === 'long' ? 'medium' : 'short' };
}

function longer(style: NotesStyle): NotesStyle {
  return { ...style, length: style.length === 'short' ? 'medium' : 'long' };
}

function translated(style: NotesStyle, words: string): NotesStyle | undefined {
  const language = languageNamed(words);
  return language && { ...style, language };
}

function mention(style: NotesStyle, words: string): NotesStyle {
  const text = unquoted(words);
  return { ...style, highlights: style.highlights.includes(text) ? style.highlights : [...style.highlights, text] };
}
