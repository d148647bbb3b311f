import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputFields } from '../../../../src/core/policy/crew.ts';
import { type LineProblem, parseCommandLine } from '../../../../src/slack/features/kickoff/command-line.ts';
import { matchInputs } from '../../../../src/slack/ui/input-values.ts';
import { hint } from '../../../crew/crew-values.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { say } from '../../ui/models.ts';

const CREWS = ['research', 'Press Team'];

function parsed(text: string, crews = CREWS) {
  const result = parseCommandLine(text, crews);
  return result.ok ? result.value : result.refusal;
}

const started = (values: Record<string, string>, crew: string | null = 'research', ...problems: LineProblem[]) => ({
  kind: 'start',
  crew,
  values,
  problems,
});

describe('the text after /kickoff', () => {
  it.each([
    ['', { kind: 'form' }],
    ['  ', { kind: 'form' }],
    ['help', { kind: 'help', crew: null }],
    ['help RESEARCH', { kind: 'help', crew: 'research' }],
    ['help me with the "Press Team"', { kind: 'help', crew: 'Press Team' }],
    ['help "me', { kind: 'help', crew: null }],
    ['Status', { kind: 'status' }],
    ['who', { kind: 'who', crew: null }],
    ['Who?', { kind: 'who', crew: null }],
    ['who RESEARCH', { kind: 'who', crew: 'research' }],
    ['who can decide research?', { kind: 'who', crew: 'research' }],
    ['who "Press Team"', { kind: 'who', crew: 'Press Team' }],
    ['who decides here?', { kind: 'who', crew: null }],
    ['who reserch', { kind: 'unknown-crew', word: 'reserch', meant: 'research' }],
    ['who marketing', { kind: 'unknown-crew', word: 'marketing', meant: null }],
    ['who press', { kind: 'unknown-crew', word: 'press', meant: 'Press Team' }],
    ['stats', { kind: 'stats' }],
    ['Stats?', { kind: 'stats' }],
    ['stats of research', { kind: 'stats' }],
    ['stats reserch', { kind: 'stats' }],
    ['connect', { kind: 'connect', crew: null }],
    ['Connect RESEARCH', { kind: 'connect', crew: 'research' }],
    ['disconnect "press team"', { kind: 'disconnect', crew: 'Press Team' }],
    ['disconnect', { kind: 'disconnect', crew: null }],
    ['disconnect gone', { kind: 'disconnect', crew: 'gone' }],
    ['help topic=x', started({ topic: 'x' }, null, { kind: 'unknown-crew', word: 'help', meant: null })],
    ['research', started({})],
    ['RESEARCH', started({})],
    ['"press team" topic=x', started({ topic: 'x' }, 'Press Team')],
    ['research topic=bees audience="small children"', started({ topic: 'bees', audience: 'small children' })],
    ['research topic=“the bees” note=‘it’s fine’', started({ topic: 'the bees', note: 'it’s fine' })],
    ['research topic=„zwei Wörter“ a=«b c»', started({ topic: 'zwei Wörter', a: 'b c' })],
    ['research a=it’s b=5"', started({ a: 'it’s', b: '5"' })],
    [String.raw`research a="say \"hi\" \\ C:\new"`, started({ a: String.raw`say "hi" \ C:\new` })],
    ['research a="" b=', started({ a: '', b: '' })],
    ['research a=b=c', started({ a: 'b=c' })],
    [
      'research a=1 &lt; 2',
      started({ a: '1' }, 'research', { kind: 'unknown-word', word: '<' }, { kind: 'unknown-word', word: '2' }),
    ],
    ['research a="1 &lt; 2 &amp;amp; 3"', started({ a: '1 < 2 &amp; 3' })],
    [
      'research a=<https://x.example/|x.example> b=<https://y.example/?a=1&amp;b=2>',
      started({ a: 'x.example', b: 'https://y.example/?a=1&b=2' }),
    ],
    [
      'research a=<@U1|maria> b=<#C1|general> c=<mailto:a@b.c|a@b.c> d=<!subteam^S1|@leads> e=<#C2|>',
      started({ a: '<@U1|maria>', b: '#general', c: 'a@b.c', d: '@leads', e: '<#C2>' }),
    ],
    [
      'research a="<@U1|@maria>" b="Ask <@U1|maria> &amp; <@U2>" <@U1|maria>',
      started({ a: '<@U1|maria>', b: 'Ask @maria & <@U2>' }, 'research', { kind: 'unknown-word', word: '<@U1|maria>' }),
    ],
    ['research --a=1 —b=2 –c=3 -=4', started({ a: '1', b: '2', c: '3', '-': '4' })],
    ['research line="one\ntwo"', started({ line: 'one\ntwo' })],
    ['reserch', started({}, null, { kind: 'unknown-crew', word: 'reserch', meant: 'research' })],
    ['marketing', started({}, null, { kind: 'unknown-crew', word: 'marketing', meant: null })],
    ['*research', started({}, null, { kind: 'unknown-crew', word: '*research', meant: 'research' })],
    ['*', started({}, null, { kind: 'unknown-crew', word: '*', meant: null })],
    ['*research*', started({})],
    ['_*RESEARCH*_ topic=_x_', started({ topic: '_x_' })],
    ['`research` *topic*=x', started({ topic: 'x' })],
    ['*research topic="green tea"*', started({ topic: 'green tea' })],
    ['re\u200bsearch\u200f \u2060topic=x', started({ topic: 'x' })],
    ['help *research*', { kind: 'help', crew: 'research' }],
    ['*status*', { kind: 'status' }],
    ['press b=1', started({ b: '1' }, null, { kind: 'unknown-crew', word: 'press', meant: 'Press Team' })],
    ['topic=x', started({ topic: 'x' }, null, { kind: 'crew-missing' })],
    ['research bees', started({}, 'research', { kind: 'unknown-word', word: 'bees' })],
    ['research a=1 a=2', started({ a: '2' }, 'research', { kind: 'repeated-name', name: 'a' })],
    [
      'research b=1 a="open to',
      started({ b: '1', a: 'open to' }, 'research', { kind: 'open-quote', at: 'a="open to' }),
    ],
  ])('%j is understood', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  it.each([
    'connect eyJhbGciOi',
    'connect research eyJhbGciOi=',
    'connect t=eyJhbGciOi',
    'Connect "eyJhbGciOi',
    'disconnect research eyJhbGciOi',
    'disconnect eyJhbGciOi=',
    'disconnect “eyJhbGciOi',
  ])('a token in %j is not repeated', (text) => {
    expect(parsed(text)).toEqual({ kind: 'crew-only', after: expect.any(String) });
  });

  it.each(['?', '-h', '--help', '/help', 'HELP!', 'help me'])('%j asks for help', (text) => {
    expect(parsed(text)).toEqual({ kind: 'help', crew: null });
  });

  it.each(['status?', '--status', 'status of research'])('%j asks what is running', (text) => {
    expect(parsed(text)).toEqual({ kind: 'status' });
  });

  it('needs no crew name if there is only one', () => {
    expect(parsed('topic=x', ['research'])).toEqual(started({ topic: 'x' }));
  });

  it('returns quoted text as it is', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const quoted = value.replace(/["“”„‟«»\\]/g, '\\$&');
        const sent = quoted.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
        expect(parsed(`research a="${sent}"`)).toEqual(started({ a: value }));
      }),
    );
  });

  it('parses any text', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => void parsed(text)));
  });
});

describe('inputs from the command line', () => {
  const fields = inputFields(['topic', 'pages', 'draft', 'tone', 'day', 'more'], {
    pages: hint({ type: 'number', default: 3, min: 1, max: 20 }),
    draft: hint({ type: 'yes_no' }),
    tone: hint({ type: 'choice', options: ['Calm', 'Loud', 7] }),
    day: hint({ type: 'date' }),
    more: hint({ type: 'json' }),
  });
  const given = (values: Record<string, string>) => matchInputs(values, fields, say);

  it('keep their JSON types, take defaults and name what is missing', () => {
    expect(given({ draft: 'No', tone: 'loud', day: '2026-02-28', more: '{"a": [1]}' })).toEqual({
      inputs: { pages: 3, draft: false, tone: 'Loud', day: '2026-02-28', more: { a: [1] } },
      missing: ['topic'],
      wrong: {},
      unknown: [],
    });
  });

  it('are in the order of the crew’s fields, as in the form', () => {
    expect(Object.keys(given({ tone: 'calm', topic: 'x' }).inputs)).toEqual(['topic', 'pages', 'tone']);
  });

  it('accept a choice that isn’t a string', () => {
    expect(given({ tone: '7', topic: 'x', draft: 'yes', day: '2026-01-01', more: '“a”' })).toEqual({
      inputs: { topic: 'x', pages: 3, tone: 7, draft: true, day: '2026-01-01', more: 'a' },
      missing: [],
      wrong: {},
      unknown: [],
    });
  });

  it('report everything that is wrong at once, and stay as they were typed', () => {
    const typed = { pages: 'many', draft: 'maybe', day: '2026-02-30', more: '{', tone: 'shy' };
    expect(given(typed)).toEqual({
      inputs: typed,
      missing: ['topic'],
      unknown: [],
      wrong: {
        pages: 'Enter a number like 12 or 3.5.',
        draft: 'Enter yes or no.',
        tone: 'Choose one of Calm, Loud, 7.',
        day: 'Enter a date like 2026-12-31.',
        more: 'This isn’t valid JSON. It looks like {"name": "value"}, ["a", "b"], 12, true, "text".',
      },
    });
  });

  it.each([
    ['0.5', '0.5 is too small: at least 1.'],
    ['21', '21 is too large: at most 20.'],
    ['1', undefined],
    ['20', undefined],
  ])('keep a number within its limits: %s', (pages, why) => {
    expect(given({ pages }).wrong.pages).toBe(why);
  });

  it('refuse a number that JSON can’t carry exactly', () => {
    const why = 'This number has too many digits to be sent exactly.';
    const wide = inputFields(['pages'], { pages: hint({ type: 'number' }) });
    expect(matchInputs({ pages: '9007199254740993' }, wide, say).wrong).toEqual({ pages: why });
    expect(matchInputs({ pages: '9007199254740991' }, wide, say).inputs).toEqual({ pages: 9_007_199_254_740_991 });
  });

  it('are found by their names in any capitals, unless another input has that name', () => {
    expect(given({ Topic: 'tea', PAGES: '4', Pages: '5' })).toMatchObject({
      inputs: { topic: 'tea', pages: 4 },
      unknown: ['Pages'],
    });
    const twins = inputFields(['topic', 'Topic'], {});
    expect(matchInputs({ Topic: 'tea' }, twins, say)).toMatchObject({ inputs: { Topic: 'tea' }, missing: ['topic'] });
  });

  it('report names that the crew doesn’t know', () => {
    expect(given({ tpic: 'x' })).toMatchObject({ unknown: ['tpic'], inputs: { pages: 3 } });
  });
});
