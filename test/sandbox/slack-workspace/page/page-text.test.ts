import { describe, expect, it } from 'vitest';
import { suggest } from '../../../../src/sandbox/slack-workspace/page/composer/suggest.ts';
import {
  filterChoices,
  markAfter,
  resultsText,
} from '../../../../src/sandbox/slack-workspace/page/elements/filter-choices.ts';
import { memberCount } from '../../../../src/sandbox/slack-workspace/page/state/person-words.ts';
import { reuseUnchanged } from '../../../../src/sandbox/slack-workspace/page/state/reuse-unchanged.ts';
import {
  formatRoute,
  parseRoute,
  routeFromPermalink,
} from '../../../../src/sandbox/slack-workspace/page/state/route.ts';
import { englishLike, formatSlackDate } from '../../../../src/sandbox/slack-workspace/page/text/dates.ts';
import { emojiCharacters, textWithEmoji } from '../../../../src/sandbox/slack-workspace/page/text/emoji.ts';
import { isTall, mayBeLong } from '../../../../src/sandbox/slack-workspace/page/text/folding.ts';
import {
  hideTokens,
  type MarkdownNode,
  restoreTokens,
} from '../../../../src/sandbox/slack-workspace/page/text/markdown-tokens.ts';
import { snapshot } from './sample-snapshot.ts';

describe('dates', () => {
  const at = Date.UTC(2026, 1, 3, 13, 5, 9);
  const later = Date.UTC(2026, 1, 20);
  const said = (format: string, nowMs: number, { timeZone = 'Europe/Madrid', locale = 'en-US' } = {}) =>
    formatSlackDate(format, { atMs: at, nowMs, timeZone, locale });

  it.each([
    ['{date_num} {time_secs}', '2026-02-03 2:05:09 PM'],
    ['{date} / {date_short} / {date_long}', 'February 3rd, 2026 / Feb 3, 2026 / Tuesday, February 3rd, 2026'],
    ['on {date_short_pretty} at {time}', 'on Feb 3, 2026 at 2:05 PM'],
    ['{ago}', '16 days ago'],
  ])('fills %s', (format, expected) => expect(said(format, later)).toBe(expected));

  it('calls near days by name', () => {
    expect(said('{date_pretty}', at + 60_000)).toBe('Today');
    expect(said('{date_pretty}', at + 86_400_000)).toBe('Yesterday');
    expect(said('{date_pretty}', at - 86_400_000)).toBe('Tomorrow');
    expect(said('since {date_pretty}', at + 60_000)).toBe('since today');
  });

  it('are those of the viewer’s time zone, summer time included', () => {
    expect(said('{date_pretty} at {time}', at + 3_600_000, { timeZone: 'Asia/Tokyo' })).toBe('Today at 10:05 PM');
    expect(said('{date_num} {time}', at, { timeZone: 'Pacific/Auckland' })).toBe('2026-02-04 2:05 AM');
    const summer = { atMs: Date.UTC(2026, 6, 3, 23, 30), nowMs: later, timeZone: 'Europe/Madrid', locale: 'en-US' };
    expect(formatSlackDate('{date_num} {time}', summer)).toBe('2026-07-04 1:30 AM');
    expect(said('{time}', at, { timeZone: 'America/St_Johns' })).toBe('9:35 AM');
  });

  it.each([
    ['en-GB', '3 February 2026, 14:05, 03/02/2026, 3 Feb 2026, 17 days ago'],
    ['de-DE', '3. Februar 2026, 14:05, 03.02.2026, 3. Feb. 2026, vor 17 Tagen'],
    ['fr-FR', '3 février 2026, 14:05, 03/02/2026, 3 févr. 2026, il y a 17 jours'],
    ['ja-JP', '2026年2月3日, 14:05, 2026/02/03, 2026年2月3日, 17 日前'],
  ])('are in the language of the viewer, by its clock: %s', (locale, expected) => {
    const format = '{date}, {time}, {date_slash}, {date_short}, {ago}';
    expect(said(format, at + 17 * 86_400_000, { locale })).toBe(expected);
  });

  it('call near days by name in the language of the viewer', () => {
    expect(said('{date_pretty} um {time}', at + 60_000, { locale: 'de-DE' })).toBe('Heute um 14:05');
    expect(said('seit {date_long_pretty}', at + 86_400_000, { locale: 'de-DE' })).toBe('seit gestern');
    expect(said('{date_long}', later, { locale: 'de-DE' })).toBe('Dienstag, 3. Februar 2026');
    expect(said('{date_num}', later, { locale: 'de-DE' })).toBe('2026-02-03');
  });

  it('in the words of the page itself are English, with the clock of the viewer', () => {
    expect(['en-US', 'en-GB', 'de-DE', 'en-AU', 'hi-IN'].map(englishLike)).toEqual([
      'en-US',
      'en-GB',
      'en-GB',
      'en-US',
      'en-US',
    ]);
  });

  it('has no text for a placeholder that does not exist', () => {
    expect(said('{weekday}', at)).toBeUndefined();
  });
});

// https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element
describe('the list of a select menu', () => {
  const option = (text: string, alias = '') => ({ value: text, text, alias });
  const choices = [
    { label: 'Fruit', options: [option('Apple'), option('Jalapeño', 'pepper')] },
    { label: 'Trees', options: [option('Apple tree'), option('Oak')] },
  ];
  const found = (typed: string, without?: string[]) =>
    filterChoices(choices, typed, without).map(({ label, options }) => [label, ...options.map(({ text }) => text)]);

  it('has what was typed anywhere in its names, in groups, whatever its case and accents', () => {
    expect(found('')).toEqual([
      ['Fruit', 'Apple', 'Jalapeño'],
      ['Trees', 'Apple tree', 'Oak'],
    ]);
    expect(found(' APPLE ')).toEqual([
      ['Fruit', 'Apple'],
      ['Trees', 'Apple tree'],
    ]);
    expect(found('pen')).toEqual([['Fruit', 'Jalapeño']]);
    expect(found('pepper')).toEqual([['Fruit', 'Jalapeño']]);
    expect(found('apple', ['Apple'])).toEqual([['Trees', 'Apple tree']]);
    expect(found('xyz')).toEqual([]);
    expect([0, 1, 100].map(resultsText)).toEqual(['No results', '1 result', '100 results']);
  });

  it.each([
    ['ArrowDown', 3, 4],
    ['ArrowDown', 99, 0],
    ['ArrowUp', 0, 99],
    ['Home', 50, 0],
    ['End', 50, 99],
    ['PageDown', 95, 99],
    ['PageUp', 50, 40],
    ['a', 50, undefined],
  ])('moves with %s from %i to %o of a hundred', (key, at, to) => expect(markAfter(key, at, 100)).toBe(to));

  it('moves nowhere if it is empty', () => expect(markAfter('ArrowDown', 0, 0)).toBeUndefined());
});

describe('addresses', () => {
  it.each([
    ['#/C123', { place: 'C123' }],
    ['#/C123/p1712000000123456', { place: 'C123', ts: '1712000000.123456' }],
    [
      '#/C123/p1712000000123456?thread_ts=1711.000100',
      { place: 'C123', ts: '1712000000.123456', threadTs: '1711.000100' },
    ],
    ['#/home', { place: 'home' }],
    ['#/nonsense/<script>', {}],
  ])('reads %s', (hash, route) => expect(parseRoute(hash)).toEqual(route));

  it('writes what it reads', () => {
    const route = { place: 'C1', ts: '1712000000.123456', threadTs: '1711000000.000100' };
    expect(parseRoute(formatRoute(route))).toEqual(route);
  });

  it('knows the permalinks of its own workspace and no others', () => {
    const permalink = 'http://localhost:4000/archives/C1/p1712000000123456?thread_ts=1711.000100&cid=C1';
    const route = { place: 'C1', ts: '1712000000.123456', threadTs: '1711.000100' };
    expect(routeFromPermalink(permalink, 'http://127.0.0.1:4000')).toEqual(route);
    expect(routeFromPermalink(permalink, 'http://localhost:4001')).toBeUndefined();
    expect(routeFromPermalink('https://evil.example/archives/C1', 'http://localhost:4000')).toBeUndefined();
  });

  it('opens the app by the address that works in any browser', () => {
    const address = 'http://127.0.0.1:4000/app_redirect?app=A1&team=T1';
    expect(routeFromPermalink(address, 'http://localhost:4000')).toEqual({ place: 'home' });
    expect(routeFromPermalink('https://slack.com/app_redirect?app=A1', 'http://localhost:4000')).toBeUndefined();
  });
});

describe('suggestions', () => {
  const { app, members, groups } = snapshot();
  const known = { commands: app.commands, members, groups };
  const labels = (text: string) => suggest(text, text.length, known).map(({ label }) => label);

  it('lists commands while the first word begins with a slash', () => {
    expect(labels('/')).toEqual(['/kickoff', '/kickoff-admin', '/invite', '/remove', '/leave']);
    expect(labels('/ki')).toEqual(['/kickoff', '/kickoff-admin']);
    expect(labels('/kickoff ')).toEqual([]);
    expect(labels('and /kickoff')).toEqual([]);
  });

  it('completes names where the caret is', () => {
    expect(labels('hello @ma')).toEqual(['@maria', '@release-managers']);
    const [maria] = suggest('hello @ma!', 9, known);
    expect(maria?.text).toBe('hello @maria !');
  });

  it('completes emoji from their second letter on, those that begin so first', () => {
    expect(labels('well :rock').slice(0, 2)).toEqual(['\u{1FAA8} :rock:', '\u{1F680} :rocket:']);
    expect(suggest('well :rocke', 11, known)[0]?.text).toBe('well :rocket: ');
    expect([labels(':r'), labels('10:30'), labels('well :no_such_one')]).toEqual([[], [], []]);
  });
});

// https://docs.slack.dev/messaging/formatting-message-text#emoji
describe('emoji', () => {
  it.each([
    ['rocket', '\u{1F680}'],
    ['heavy_check_mark', '\u2714\uFE0F'],
    ['one', '1\uFE0F\u20E3'],
    ['flag-de', '\u{1F1E9}\u{1F1EA}'],
    ['man-running', '\u{1F3C3}\u200D\u2642\uFE0F'],
    ['wave::skin-tone-3', '\u{1F44B}\u{1F3FC}'],
    ['point_up::skin-tone-6', '\u261D\u{1F3FF}'],
    ['man-golfing::skin-tone-2', '\u{1F3CC}\u{1F3FB}\u200D\u2642\uFE0F'],
    ['rocket::skin-tone-3', '\u{1F680}'],
    ['party_parrot', undefined],
    ['', undefined],
  ])(':%s: is what Slack shows', (name, characters) => expect(emojiCharacters(name)).toBe(characters));

  it('stand in plain text, unless it has none, and in Markdown', () => {
    const text = 'Hi :wave::skin-tone-3:, :no_such_one: at 10:30:45';
    expect(textWithEmoji({ text, emoji: true })).toBe('Hi \u{1F44B}\u{1F3FC}, :no_such_one: at 10:30:45');
    expect(textWithEmoji({ text, emoji: false })).toBe(text);
    const paragraph: MarkdownNode = { type: 'paragraph', children: [{ type: 'text', value: text }] };
    restoreTokens(paragraph, []);
    const names = paragraph.children?.flatMap(({ data }) => data?.hProperties['data-emoji'] ?? []);
    expect(names).toEqual(['wave::skin-tone-3', 'no_such_one', '30']);
  });
});

describe('Markdown', () => {
  it('hides what is live from Markdown and gives code its text back', () => {
    const { text, tokens } = hideTokens('| <https://a.b|c> | &lt;!channel&gt; | <!channel> |');
    expect(text).not.toContain('<');
    const code: MarkdownNode = { type: 'inlineCode', value: text };
    restoreTokens(code, tokens);
    expect(code.value).toBe('| <https://a.b|c> | &lt;!channel&gt; | <!channel> |');
  });

  it('takes nothing for a token that only looks like one', () => {
    expect(hideTokens('\uE0000\uE001 <script> <javascript:x|y>')).toEqual({
      text: '\uFFFD0\uFFFD <script> <javascript:x|y>',
      tokens: [],
    });
  });
});

// https://docs.slack.dev/reference/block-kit/blocks/section-block: `expand`
it('folds text of more than five lines', () => {
  expect([isTall(5 * 22, 22), isTall(5 * 22 + 8, 22), isTall(6 * 22, 22)]).toEqual([false, false, true]);
  expect(['short', 'x'.repeat(121), 'a\nb\nc\nd\ne', 'a\nb\nc\nd\ne\nf'].map(mayBeLong)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

it('a channel of one person has 1 member, and any other has members', () => {
  const counts = [[], ['U1'], ['U1', 'U2']].map((memberIds) => memberCount({ memberIds }));
  expect(counts).toEqual(['0 members', '1 member', '2 members']);
});

it('keeps the identity of what did not change', () => {
  const before = { a: { list: [{ id: 1 }, { id: 2 }] }, b: { name: 'x' } };
  const after = reuseUnchanged(before, structuredClone({ ...before, b: { name: 'y' } }));
  expect(after.a).toBe(before.a);
  expect(after.b).toEqual({ name: 'y' });
  expect(reuseUnchanged(before, structuredClone(before))).toBe(before);
});
