// The reading of feedback by a crew without a model: each clause is judged on its own. Those that it knows are
// followed; the next draft says which ones it did not understand.

export type Instruction<Style> = {
  /** The form that people read. Capitals at the end stand for words of the reviewer's own. */
  readonly form: string;
  /** Other ways to say it, without the capitals. */
  readonly also?: readonly string[];
  /** Undefined where the reviewer's own words name nothing. */
  readonly change: (style: Style, words: string) => Style | undefined;
};

/** Words that don't change an instruction: "- And please make it a bit shorter" is "shorter". */
const BEFORE = /^(?:[-*•] |(?:and|but|also|then|please|make (?:it|this|the notes|the report)|a (?:bit|little)) )+/i;
const AFTER = /(?:,? (?:please|too|as well|thanks|thank you))+$/i;
/** Words that ask for nothing. */
const COURTESY =
  /^(?:please|thanks|thank you|approved|good|great|nice|(?:this |it )?(?:looks|reads) (?:good|great|nice|well|fine))$/i;
const LONGEST_SENTENCE = 300;
const LONGEST_LIST = 12;

/** Those about how much each section of a draft says. */
export function lengthInstructions<Style extends { readonly perSection: number }>(): Instruction<Style>[] {
  return [
    {
      form: 'shorter',
      also: ['shorten it', 'more concise'],
      change: (style) => ({ ...style, perSection: Math.ceil(style.perSection / 2) }),
    },
    {
      form: 'longer',
      also: ['more detail', 'more details'],
      change: (style) => ({ ...style, perSection: style.perSection * 2 }),
    },
  ];
}

/** The style after all feedback, oldest first, and the clauses of the last one that were not understood. */
export function follow<Style>(
  instructions: readonly Instruction<Style>[],
  feedback: readonly string[],
  first: Style,
): { readonly style: Style; readonly notUnderstood: readonly string[] } {
  let style = first;
  let notUnderstood: string[] = [];
  for (const text of feedback) {
    // The earlier drafts have said what they did not understand.
    notUnderstood = [];
    for (const sentence of sentencesIn(text)) {
      const after = followSentence(instructions, sentence, style);
      style = after.style;
      notUnderstood.push(...after.notUnderstood);
    }
  }
  return { style, notUnderstood };
}

function sentencesIn(text: string): string[] {
  const sentences = text.split(/\n|[.;!?](?=\s|$)/).map((sentence) => sentence.replace(/\s+/g, ' ').trim());
  return sentences.filter((sentence) => sentence !== '');
}

function followSentence<Style>(instructions: readonly Instruction<Style>[], sentence: string, first: Style) {
  if (sentence.length > LONGEST_SENTENCE) return { style: first, notUnderstood: [sentence] };
  const notUnderstood: string[] = [];
  let style = first;
  let rest = sentence;
  while (rest !== '') {
    const clauses = clausesAtStart(rest);
    const reading = knownClause(instructions, clauses, style);
    const [unknown] = clauses;
    if (reading === undefined && unknown && !COURTESY.test(unknown.text)) notUnderstood.push(unknown.text);
    style = reading?.style ?? style;
    rest = (reading ?? unknown)?.rest ?? '';
  }
  return { style, notUnderstood };
}

type Clause = { readonly text: string; readonly rest: string };

/** All that the sentence may begin with, the shortest first. */
function clausesAtStart(sentence: string): Clause[] {
  const clauses: Clause[] = [];
  for (const { 0: joint, index } of sentence.matchAll(/,? (?:and|but) |, ?/gi)) {
    if (index > 0) clauses.push({ text: sentence.slice(0, index), rest: sentence.slice(index + joint.length) });
    if (clauses.length === LONGEST_LIST) return clauses;
  }
  return [...clauses, { text: sentence, rest: '' }];
}

/** A comma or an "and" may end a clause or stand in a list of its own words, so the longest clause that is known counts. */
function knownClause<Style>(instructions: readonly Instruction<Style>[], clauses: readonly Clause[], style: Style) {
  const askedIn = (text: string) => text.replace(BEFORE, '').replace(AFTER, '').replaceAll('’', "'");
  const beginning = askedIn(clauses[0]?.text ?? '').toLowerCase();
  for (const { form, also = [], change } of instructions) {
    const [ownWords = ''] = / ?[A-Z]+$/.exec(form) ?? [];
    const way = [form.slice(0, form.length - ownWords.length), ...also].find((each) => beginning.startsWith(each));
    if (way === undefined) continue;
    for (const { text, rest } of clauses.toReversed()) {
      const words = askedIn(text).slice(way.length);
      const fits = ownWords === '' ? words === '' : words.startsWith(' ');
      const next = fits ? change(style, words.trim()) : undefined;
      if (next !== undefined) return { style: next, rest };
    }
  }
  return undefined;
}

/** Returns the names in a list such as "tests, docs and the chores"; undefined if it names anything else, too. */
export function namesIn<Name>(list: string, known: Readonly<Record<string, readonly Name[]>>): Name[] | undefined {
  const parts = list.toLowerCase().split(/,? and |,/);
  const names = parts.map((part) => known[part.trim().replace(/^the | sections?$/g, '')]);
  return names.every((name) => name !== undefined) ? names.flat() : undefined;
}

const NOT_UNDERSTOOD = '*I did not understand:* ';
const NOT_MADE = '*Not in this draft, or there twice:* ';
const END = '\n\n---\n\n';
const MOST_NAMED = 5;

/**
 * The draft, saying above it what was not understood and what would be, and which edits it doesn't allow: of a long draft
 * people see the beginning, and that is where they look for an answer to their feedback.
 */
export function withRemark<Style>(
  draft: string,
  { notUnderstood, notMade }: { readonly notUnderstood: readonly string[]; readonly notMade: readonly string[] },
  instructions: readonly Instruction<Style>[],
): string {
  const forms = instructions.map(({ form }) => `\`${form}\``).join(', ');
  const lines = [
    ...(notUnderstood.length > 0 ? [`${NOT_UNDERSTOOD}${named(notUnderstood)}. I know: ${forms}.`] : []),
    ...(notMade.length > 0 ? [`${NOT_MADE}${named(notMade)}.`] : []),
  ];
  return lines.length === 0 ? draft : `${lines.join('\n')}${END}${draft}`;
}

function named(texts: readonly string[]): string {
  const more = texts.length > MOST_NAMED ? ` and ${texts.length - MOST_NAMED} more` : '';
  const some = texts.slice(0, MOST_NAMED).map((text) => `“${text.slice(0, 200)}”`);
  return `${some.join(', ')}${more}`;
}

/** The draft alone. */
export function withoutRemark(draft: string): string {
  const end = draft.indexOf(END);
  const hasRemark = [NOT_UNDERSTOOD, NOT_MADE].some((beginning) => draft.startsWith(beginning));
  return hasRemark && end > 0 ? draft.slice(end + END.length) : draft;
}
