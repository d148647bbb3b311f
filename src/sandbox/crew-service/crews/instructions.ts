// Feedback as people type it, taken apart into single instructions: "Shorter please, and leave out the chores." → two.

// An instruction begins with one of these. Kept as text, as it is read best in this form.
const VERBS = `
  group sort order arrange organi[sz]e leave drop omit exclude skip remove hide without ignore don'?t make keep mention
  highlight emphasi[sz]e point call name title rename change set use translate write no less more fewer include bring
  put show list only just add thank give shorten lengthen
  (?:(?:a\\sbit|a\\slittle|much|slightly|even|more)\\s)?(?:shorter|longer|briefer|friendlier|drier|warmer)
`
  .trim()
  .split(/\s+/)
  .join('|');

const NEXT_INSTRUCTION = new RegExp(
  `(?:,\\s*(?:and|but|then|also)?|\\s(?:and|but|then|also|[+&]))\\s+(?=(?:please |also |then )*(?:${VERBS})\\b)`,
  'i',
);
const LINE_END = /\n+/;
const SENTENCE_END = /;|(?<=[.!?])\s+/;
const BULLET = /^(?:[-*•]|\d+[.)])\s+/;
const POLITE_START = new RegExp(
  `^(?:${[
    'please|pls|kindly|also|and|but|then|maybe|now|so',
    `just(?= (?:${VERBS})\\b)(?! (?:features|fixes))`,
    '(?:can|could|would) (?:you|we)',
    "i(?:'d| would) (?:like|prefer)(?: you)?(?: to)?",
    "let'?s",
    'make sure (?:to|that you)',
    'you should',
    "(?:it|this|that|the (?:draft|notes|text|report|tone))(?:'s| is| are| should be| should)",
  ].join('|')})[\\s,]+`,
  'i',
);
const POLITE_END =
  /[\s,]+(?:please|bitte|thanks|thank you|too|as well|again|instead(?: of [\w ]+)?|rather than [\w ]+|this time|if possible|a bit|a little|[:;]-?[)D])$/i;
const PRAISE = [
  'ok(?:ay)?|yes|approved?|lgtm|ship it|go ahead|almost(?: there)?',
  '(?:thanks|thank you)(?: (?:a lot|so much|very much|all|both))?',
  '(?:(?:this|it|that|the (?:draft|notes|text|report)) )?(?:looks?|reads?|sounds?) (?:very |really |so )?(?:good|great|fine|nice|well|perfect)(?: to me)?',
  '(?:very |really |so )?(?:good|great|nice|fine|perfect|excellent|lovely|well)(?: (?:work|job|done))?',
].join('|');
const NOTHING_ASKED = new RegExp(`^(?:${PRAISE})(?:[,\\s]+(?:and |but )?(?:${PRAISE}))*$`, 'i');

/** The single instructions of a text, in its words and order; what only praises or agrees is none. */
export function instructionsIn(text: string): string[] {
  const { masked, restore } = withoutQuotes(text.slice(0, LONGEST_READ).replaceAll('’', "'"));
  const clauses = masked
    .split(LINE_END)
    .flatMap((line) => line.trim().replace(BULLET, '').split(SENTENCE_END))
    .flatMap((sentence) => sentence.split(NEXT_INSTRUCTION))
    .map((clause) => restore(plain(clause)))
    .filter((clause) => clause !== '' && !NOTHING_ASKED.test(clause));
  return text.length > LONGEST_READ ? [...clauses, `what comes after the first ${LONGEST_READ} characters`] : clauses;
}

const LONGEST_READ = 10_000;

/** What stands in quotation marks is one thing, whatever is in it. */
function withoutQuotes(text: string): { masked: string; restore: (clause: string) => string } {
  const quotes: string[] = [];
  const masked = text.replace(/["“„][^"“”]*["”]/g, (quote) => `\uE000${quotes.push(quote) - 1}\uE000`);
  return {
    masked,
    restore: (clause) => clause.replace(/\uE000(\d+)\uE000/g, (_mark, index) => quotes[Number(index)] ?? ''),
  };
}

function plain(clause: string): string {
  for (let text = clause; ; ) {
    const shorter = text
      .trim()
      .replace(/[.!?,:]+$/, '')
      .replace(POLITE_START, '')
      .replace(POLITE_END, '');
    if (shorter === text) return text;
    text = shorter;
  }
}

/** A text without the quotation marks around it. */
export function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^["“„'](.*)["”']$/s, '$1')
    .trim();
}

/** The parts of a list in words: "chores, tests and the docs" → three. */
export function partsOf(list: string): string[] {
  return list.split(/\s*,\s*(?:and |or )?|\s+(?:and|or)\s+|\s*[/&]\s*/i).filter((part) => part !== '');
}
