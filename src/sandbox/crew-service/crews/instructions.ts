/**
 * What a crew without a model follows: each form as people read and type it, with what it does to the style of the
 * draft. Capitals at the end of a form stand for words of the reviewer's own; for words that name nothing, the result is
 * undefined.
 */
export type Instructions<Style> = Readonly<Record<string, (style: Style, words: string) => Style | undefined>>;

/** What doesn't change an instruction: "- Please make it shorter" is "shorter". */
const POLITE = /^(?:[-*•] )?(?:please )?(?:make it )?|,? please$/gi;
const LONGEST_SENTENCE = 300;

/** The style after all feedback, oldest first, and the sentences of the last one that couldn't be followed. */
export function follow<Style>(
  instructions: Instructions<Style>,
  feedback: readonly string[],
  first: Style,
): { readonly style: Style; readonly notFollowed: readonly string[] } {
  let style = first;
  let notFollowed: string[] = [];
  for (const text of feedback) {
    // The earlier drafts have told what they couldn't follow.
    notFollowed = [];
    for (const sentence of sentencesIn(text)) {
      const next = styleAfter(sentence, style, instructions);
      if (next === undefined) notFollowed.push(sentence);
      style = next ?? style;
    }
  }
  return { style, notFollowed };
}

function sentencesIn(text: string): string[] {
  const sentences = text.split(/\n|[.;!?](?=\s|$)/).map((sentence) => sentence.replace(/\s+/g, ' ').trim());
  return sentences.filter((sentence) => sentence !== '');
}

/** Of one instruction, or of several joined by "and": those are followed all or not at all. */
function styleAfter<Style>(sentence: string, style: Style, instructions: Instructions<Style>): Style | undefined {
  if (sentence.length > LONGEST_SENTENCE) return undefined;
  const whole = styleAfterOne(sentence, style, instructions);
  const [, first, rest] = /^(.+?)(?:,? and |, )(.+)$/.exec(sentence) ?? [];
  if (whole !== undefined || first === undefined || rest === undefined) return whole;
  const next = styleAfterOne(first, style, instructions);
  return next && styleAfter(rest, next, instructions);
}

function styleAfterOne<Style>(sentence: string, style: Style, instructions: Instructions<Style>): Style | undefined {
  const asked = sentence.replace(POLITE, '');
  for (const [form, change] of Object.entries(instructions)) {
    const fixed = form.replace(/[A-Z]+$/, '');
    const words = asked.slice(fixed.length);
    const hasWords = words !== '';
    const takesWords = form !== fixed;
    if (asked.toLowerCase().startsWith(fixed) && hasWords === takesWords) return change(style, words);
  }
  return undefined;
}

/** Which of the known names are in a list such as "tests, docs and the chores"; undefined where another is, too. */
export function namesIn<Name extends string>(list: string, known: readonly Name[]): Name[] | undefined {
  const parts = list.toLowerCase().split(/,? and |,/);
  const asked = new Set(parts.map((part) => part.trim().replace(/^the /, '')));
  const found = known.filter((name) => asked.has(name.toLowerCase()));
  return found.length === asked.size ? found : undefined;
}

const START = '*Not followed:* ';
const END = '\n\n---\n\n';
const MOST_NAMED = 5;

/**
 * The draft, saying above it what couldn't be followed and what can: of a long draft people see the beginning, and
 * that is where they look for an answer to their feedback.
 */
export function withRemark<Style>(
  draft: string,
  notFollowed: readonly string[],
  instructions: Instructions<Style>,
): string {
  if (notFollowed.length === 0) return draft;
  const named = notFollowed.slice(0, MOST_NAMED).map((sentence) => `“${sentence.slice(0, 200)}”`);
  const more = notFollowed.length > MOST_NAMED ? ` and ${notFollowed.length - MOST_NAMED} more` : '';
  const known = Object.keys(instructions).map((form) => `\`${form}\``);
  return `${START}${named.join(', ')}${more}.\nThis crew follows only: ${known.join(', ')}. Give each its own sentence, or join them with “and”.${END}${draft}`;
}

/** The draft alone. */
export function withoutRemark(draft: string): string {
  const end = draft.indexOf(END);
  return draft.startsWith(START) && end > 0 ? draft.slice(end + END.length) : draft;
}
