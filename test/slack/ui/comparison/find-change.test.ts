import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputStore } from '../../../../src/core/ports.ts';
import { changesBlock } from '../../../../src/slack/ui/comparison/change-lines.ts';
import { createFindChange } from '../../../../src/slack/ui/comparison/find-change.ts';
import { sayIn } from '../../../support/say.ts';
import { hostileText } from '../hostile.ts';

/** Reads texts by names for their hashes, and counts how often. */
function storeOf(texts: Record<string, string>): OutputStore & { reads: number } {
  return {
    reads: 0,
    async get(_, hash) {
      this.reads++;
      return texts[hash] ?? null;
    },
    put: async () => ({ hash: '', length: 0 }),
  };
}

const changeOf = (before: string, after: string) =>
  createFindChange(storeOf({ before, after }))({ ref: 'r1', before: 'before', after: 'after' });

/** The lines that a card shows, with the changed words as `*words*`, and how many changes it doesn't. */
async function toldOf(before: string, after: string): Promise<string[]> {
  const change = await changeOf(before, after);
  if (change?.kind !== 'compared') return [`${change?.kind}`];
  const lines = changesBlock(change.changes, sayIn('en')).elements.map(({ elements }) =>
    elements.map((part) => (part.type !== 'text' ? '' : part.style?.bold ? `*${part.text}*` : part.text)).join(''),
  );
  return [...lines, ...(change.changes.more > 0 ? [`${change.changes.more} more`] : [])];
}

const PLAN =
  'The migration runs at night and copies all orders. It takes about forty minutes. It deletes the old tables afterwards. ' +
  'Nobody has to do anything.\n\nWe will tell **support** before it starts.';
const PARAGRAPHS = ['Tea is hot. It is green.', 'Milk is cold.', 'Sugar is sweet.'];
const SENTENCES = Array.from({ length: 20 }, (_, i) => `Point ${i} is about the colour of houses.`);
const MANY = SENTENCES.join('\n\n');
const long = (word: string) => `It says ${'this and '.repeat(30)}${word} ${'so it goes '.repeat(30)}in one sentence`;

describe('what became of a text', () => {
  it.each<[what: string, before: string, after: string, lines: string[]]>([
    [
      'a sentence that was taken out',
      PLAN,
      PLAN.replace(' It deletes the old tables afterwards.', ''),
      ['− It deletes the old tables afterwards.'],
    ],
    [
      'a changed word, and added ones',
      PLAN,
      PLAN.replace('forty', 'fifty').replace('support', 'support and sales'),
      [
        '− It takes about *forty* minutes.',
        '+ It takes about *fifty* minutes.',
        '+ We will tell support *and sales* before it starts.',
      ],
    ],
    [
      'a word taken out',
      PLAN,
      PLAN.replace('about ', ''),
      ['− It takes *about* forty minutes.', '+ It takes forty minutes.'],
    ],
    [
      'a sentence late in a long text',
      `${MANY}\n\nThe end. All is well.`,
      `${MANY}\n\nThe end. It deletes the old tables. All is well.`,
      ['+ It deletes the old tables.'],
    ],
    [
      'a list',
      '- Fast import\n- Export of boards\n- Search\n1. One',
      '- Export of boards and lists\n* Search\n2. One\n- **New** [plan](https://a.example)',
      ['− Fast import', '+ Export of boards *and lists*', '+ New plan (https://a.example)'],
    ],
    [
      'a section',
      '# Notes\n\nIntro.\n\n## Tests\n\nThey pass. All of them.',
      '# Notes\n\nIntro.',
      ['− Tests', '− They pass. All of them.'],
    ],
    [
      'fields of JSON',
      '{"amount": 40.00, "refund_to": "a@x.example", "items": [{"name": "tea", "qty": 1}, {"name": "pot", "qty": 2}], "tags": ["x"]}',
      '{"amount": 45.00, "refund_to": "b@x.example", "items": [{"name": "pot", "qty": 3}], "tags": ["x", "y"], "unitPrice": 3}',
      [
        'Amount: − 40.00  + 45.00',
        'Refund to: − a@x.example  + b@x.example',
        '− Items: Name: tea, Qty: 1',
        'Items › pot › Qty: − 2  + 3',
        '+ Tags: y',
        '+ Unit price: 3',
      ],
    ],
    [
      'a sentence of a field',
      JSON.stringify({ to: 'a@x.example', body: PLAN }),
      JSON.stringify({ to: 'a@x.example', body: PLAN.replace('forty', 'fifty') }),
      ['− Body: It takes about *forty* minutes.', '+ Body: It takes about *fifty* minutes.'],
    ],
    [
      'the arguments of a tool, which are JSON below its name',
      `send_email\n\`\`\`json\n${JSON.stringify({ to: 'a@x.example', body: PLAN, vat_id: 1 })}\n\`\`\``,
      `send_email\n\`\`\`json\n${JSON.stringify({ to: 'a@x.example', body: PLAN.replace('forty', 'fifty'), vat_id: 2 })}\n\`\`\``,
      ['− Body: It takes about *forty* minutes.', '+ Body: It takes about *fifty* minutes.', 'VAT ID: − 1  + 2'],
    ],
    [
      'an argument of a call, without what is around it',
      '{"tool": "refund", "arguments": {"amount": {"value": "1.00"}}}',
      '{"tool": "refund", "arguments": {"amount": {"value": "2.00"}}}',
      ['Amount › Value: − 1.00  + 2.00'],
    ],
    [
      'another tool',
      '{"tool": "a", "arguments": {"b": 1}}',
      '{"tool": "c", "arguments": {"b": 1}}',
      ['− "tool": "*a*",', '+ "tool": "*c*",'],
    ],
    ['the type of a field', '{"a": 1}', '{"a": "1"}', ['− "a": 1', '+ "a": *"*1*"*']],
    ['the layout of JSON', '{"a": 1, "b": [1]}', '{\n  "a": 1,\n  "b": [1]\n}', ['unseen']],
    [
      'cells and rows of a table',
      '| Plan | Price |\n|---|---|\n| Pro | 30 |\n| Team | 60 |',
      '| Plan | Price |\n|:--|--:|\n| Pro | 35 |\n| Max | 90 |\n| Team | 60 |',
      ['Pro · Price: − 30  + 35', '+ Max · 90'],
    ],
    [
      'code',
      '```js\nconst limit = 30;\nrun();\n```',
      '```ts\nconst limit = 60;\n  run();\nstop();\n```',
      ['− const limit = *30*;', '+ const limit = *60*;', '− run();', '+   run();', '+ stop();'],
    ],
    [
      'German',
      'Die Frist läuft am 3. Mai ab. Danach wird gelöscht, z. B. der Ordner.',
      'Die Frist läuft am 13. Mai ab. Danach wird archiviert, z. B. der Ordner.',
      [
        ...['− Die Frist läuft am *3*. Mai ab.', '+ Die Frist läuft am *13*. Mai ab.'],
        ...['− Danach wird *gelöscht*, z. B. der Ordner.', '+ Danach wird *archiviert*, z. B. der Ordner.'],
      ],
    ],
    [
      'Chinese',
      '现在可以手动添加成员了。导入需要一分钟。',
      '现在可以批量添加成员了。导入需要一分钟。可以撤销。',
      ['− 现在可以*手动*添加成员了。', '+ 现在可以*批量*添加成员了。', '+ 可以撤销。'],
    ],
    ['where lines are wrapped', 'One two three four.\nFive six.', 'One two\nthree four. Five\nsix.', ['layout']],
    ['the marks of headings and lists', '# A\n- b', '## A\n\n* b', ['layout']],
    ['only what nobody sees', 'a\nb', 'a \nb\n', ['unseen']],
    ['only marks of emphasis', 'Do **not** go.', 'Do not go.', ['− Do ****not**** go.', '+ Do not go.']],
    [
      'everything',
      'One thing is said here. And another.\n\nA third one.',
      'Completely different text stands now!\n\nNothing stays.',
      [
        ...['− One thing is said here. And another.', '+ Completely different text stands now!'],
        ...['− A third one.', '+ Nothing stays.'],
      ],
    ],
    [
      'a paragraph that moved',
      PARAGRAPHS.join('\n\n'),
      [...PARAGRAPHS.slice(1), PARAGRAPHS[0]].join('\n\n'),
      ['↕ Moved: Tea is hot. It is green.'],
    ],
    [
      'one change of each kind where there are many',
      MANY,
      `${MANY.replace(`${SENTENCES[9]}\n\n`, '').replaceAll('houses', 'cars').replace('Point 19', 'Point 190')}\n\nGo.`,
      [
        ...['− Point 0 is about the colour of *houses*.', '+ Point 0 is about the colour of *cars*.'],
        '− Point 9 is about the colour of houses.',
        ...['− Point *19* is about the colour of *houses*.', '+ Point *190* is about the colour of *cars*.'],
        ...['+ Go.', '17 more'],
      ],
    ],
    [
      'a word of a long sentence',
      long('thirty'),
      long('sixty'),
      [
        '− … and this and this and this and *thirty* so it goes so it goes so it goes…',
        '+ … and this and this and this and *sixty* so it goes so it goes so it goes…',
      ],
    ],
    [
      'words far apart in a sentence',
      `${'We know, and have said so, that '.repeat(6)}the houses are built by people and by machines.`,
      `${'We know, and have said so, that '.repeat(6)}the cars are built by people and by 3 robots.`,
      [
        '− … know, and have said so, that the *houses* are built by people and by *machines*.',
        '+ … know, and have said so, that the *cars* are built by people and by *3 robots*.',
      ],
    ],
    [
      'a long text that was added',
      'First.',
      `First.\n\n${SENTENCES.join(' ')}`,
      [`+ ${SENTENCES.slice(0, 5).join(' ')} …`],
    ],
  ])('is told in a few lines: %s', async (_, before, after, lines) => {
    expect(await toldOf(before, after)).toEqual(lines);
  });

  it.each([
    ['a name that is given twice', '{"to":"Ana","sum":1,"sum":2}', '{"to":"Eve","sum":9,"sum":2}', '9'],
    ['such a name alone', '{"sum":1,"sum":2}', '{"sum":9,"sum":2}', '9'],
    ['a number that becomes a text', '{"to":"Ana","code":7}', '{"to":"Eve","code":"7"}', '"7"'],
    ['a list that becomes empty', '{"to":"Ana","only":{}}', '{"to":"Eve","only":[]}', '[]'],
  ])('tells of %s', async (_, before, after, words) => {
    expect((await toldOf(before, after)).join('\n').replaceAll('*', '')).toContain(words);
  });

  it('is told within two seconds, however many spaces stand below the row of a table', async () => {
    const before = performance.now();
    await toldOf(`| a |\n${' '.repeat(100_000)}x`, `| b |\n${' '.repeat(100_000)}x`);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('knows of no values but those of the texts', async () => {
    expect(await toldOf('{"to":"Ana"}', '{"to":"Ana","constructor":"Eve"}')).toEqual(['+ Constructor: Eve']);
  });

  it('takes no minutes for long lists that have nothing in common', async () => {
    const list = (by: number) => JSON.stringify(Array.from({ length: 20_000 }, (_, i) => i * by));
    const before = process.cpuUsage();
    await toldOf(list(1), list(7));
    const { user } = process.cpuUsage(before);
    expect(user / 1_000).toBeLessThan(3_000);
  });

  it('takes few lines on a desk and on a phone, and counts what they leave out, whatever the texts', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (before, after) => {
        const told = (await toldOf(before, after)).filter((line) => !/^\d+ more$/.test(line));
        expect(told.length).toBeLessThanOrEqual(6);
        const rows = (most: number) => told.reduce((sum, line) => sum + Math.ceil(line.length / most), 0);
        expect(rows(100)).toBeLessThanOrEqual(9);
        expect(rows(45)).toBeLessThanOrEqual(18);
      }),
      { numRuns: 300 },
    );
  });

  it('is found once for two texts', async () => {
    const outputs = storeOf({ before: 'a', after: 'b' });
    const findChange = createFindChange(outputs);
    const texts = { ref: 'r1', before: 'before', after: 'after' };
    expect(await findChange(texts)).toEqual(await findChange(texts));
    expect(await findChange({ ...texts, after: 'before' })).toEqual({ kind: 'same' });
    expect(outputs.reads).toBe(2);
  });

  it('is asked for again where a text was not there', async () => {
    const texts: Record<string, string> = { before: 'a' };
    const findChange = createFindChange(storeOf(texts));
    const wanted = { ref: 'r1', before: 'before', after: 'after' };
    expect(await findChange(wanted)).toBeNull();
    texts.after = 'a ';
    expect(await findChange(wanted)).toEqual({ kind: 'unseen' });
  });
});
