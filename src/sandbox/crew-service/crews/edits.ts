/** A change that people ask for word for word. */
type Edit = {
  readonly asked: string;
  readonly find: string;
  /** If it isn't '', all from `find` up to the first such words after it is replaced. */
  readonly through: string;
  readonly replacement: string;
};

type Form = {
  /** The words before each quotation. */
  readonly words: readonly string[];
  readonly edit: (quoted: readonly string[]) => Omit<Edit, 'asked'>;
};

const FORMS: readonly Form[] = [
  {
    words: ['Replace everything from', ' to', ' with'],
    edit: ([find = '', through = '', replacement = '']) => ({ find, through, replacement }),
  },
  {
    words: ['Delete everything from', ' to'],
    edit: ([find = '', through = '']) => ({ find, through, replacement: '' }),
  },
  { words: ['Replace', ' with'], edit: ([find = '', replacement = '']) => ({ find, through: '', replacement }) },
  { words: ['Delete'], edit: ([find = '']) => ({ find, through: '', replacement: '' }) },
  { words: ['After', ',? add'], edit: ([find = '', added = '']) => ({ find, through: '', replacement: find + added }) },
  {
    words: ['Before', ',? add'],
    edit: ([find = '', added = '']) => ({ find, through: '', replacement: added + find }),
  },
];

const INLINE = '(?: the line)? (?:“[^“”\\n]*”|"[^"\\n]*"|«[^«»\\n]*»)';
const block = (fence: string) => `(?: the lines)?\\n {2}(?<${fence}>\`{3,})\\n[^]*?\\n {2}\\k<${fence}>(?=\\n|$)`;
const quotation = (index: number) => `(?<quoted${index}>${INLINE}|${block(`fence${index}`)})`;

/** A quotation in a block is followed by a line break, so the words after it begin a line. */
const pointOf = ({ words: [first = '', ...others] }: Form) =>
  new RegExp(
    `^(?:- )?${first}${quotation(0)}${others.map((each, index) => `(?:\\n )?${each}${quotation(index + 1)}`).join('')}\\.?$`,
    'gm',
  );

const POINTS = FORMS.map((form) => ({ ...form, point: pointOf(form) }));
const INTRODUCTION = /^Make (?:this edit|these edits), word for word:$/gm;

function editsIn(feedback: string): Edit[] {
  return POINTS.flatMap(({ point, words, edit }) =>
    Array.from(feedback.matchAll(point), ({ 0: asked, groups = {} }) => ({
      asked: asked.replace(/\s+/g, ' ').replace(/^- /, ''),
      ...edit(words.map((_, index) => unquoted(groups[`quoted${index}`] ?? ''))),
    })),
  );
}

function unquoted(quotation: string): string {
  const [named = '', , ...lines] = quotation.split('\n');
  if (lines.length === 0) {
    return `${quotation.replace(/^(?: the line)? ./, '').slice(0, -1)}${named.startsWith(' the line ') ? '\n' : ''}`;
  }
  const text = lines.slice(0, -1).map((line) => line.slice(2));
  return `${text.join('\n')}${named === '' ? '' : '\n'}`;
}

/** The line above the whole text that a person has approved in place of an output. Notes stand above the line. */
const APPROVED = /^Approved with these edits:\n/m;

/** The text that a person has approved in place of the output, by the last approval that has one; otherwise the output. */
export function approvedText(output: string, feedback: readonly { readonly text: string }[]): string {
  return feedback.map(({ text }) => textIn(text)).findLast((text) => text !== undefined) ?? output;
}

function textIn(feedback: string): string | undefined {
  const line = APPROVED.exec(feedback);
  return line ? feedback.slice(line.index + line[0].length) : undefined;
}

export function withoutEdits(feedback: string): string {
  const [said = ''] = feedback.split(APPROVED);
  return POINTS.reduce((text, { point }) => text.replace(point, ''), said).replace(INTRODUCTION, '');
}

/**
 * The draft with the edits of all feedback made, oldest first, each in the text that a person has approved in place of the one before;
 * `notMade` are those of the last that it doesn't allow.
 */
export function withEdits(
  draft: string,
  feedback: readonly string[],
): { readonly draft: string; readonly notMade: readonly string[] } {
  let [text, notMade]: [string, string[]] = [`${draft}\n`, []];
  for (const each of feedback) {
    const approved = textIn(each);
    [text, notMade] = approved === undefined ? edited(text, editsIn(each)) : [`${approved}\n`, []];
  }
  return { draft: text.trimEnd(), notMade };
}

function edited(text: string, edits: readonly Edit[]): [string, string[]] {
  const placed = edits.map((edit) => ({ ...edit, ...placeIn(text, edit) })).sort((a, b) => b.start - a.start);
  const notMade: string[] = [];
  let made = text;
  let free = text.length;
  for (const { asked, start, end, replacement } of placed) {
    if (start === -1 || end > free) notMade.unshift(asked);
    else [made, free] = [made.slice(0, start) + replacement + made.slice(end), start];
  }
  return [made, notMade];
}

const NOWHERE = { start: -1, end: -1 };

/** The words must be there once. */
function placeIn(text: string, { find, through }: Edit): { start: number; end: number } {
  const start = text.indexOf(find);
  if (find === '' || start === -1 || text.includes(find, start + 1)) return NOWHERE;
  const after = start + find.length;
  const last = through === '' ? after : text.indexOf(through, after);
  return last === -1 ? NOWHERE : { start, end: last + through.length };
}
