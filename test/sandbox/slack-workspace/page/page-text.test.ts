import { describe, expect, it } from 'vitest';
import { suggest } from '../../../../src/sandbox/slack-workspace/page/composer/suggest.ts';
import { reuseUnchanged } from '../../../../src/sandbox/slack-workspace/page/state/reuse-unchanged.ts';
import {
  formatRoute,
  parseRoute,
  routeFromPermalink,
} from '../../../../src/sandbox/slack-workspace/page/state/route.ts';
import { formatSlackDate } from '../../../../src/sandbox/slack-workspace/page/text/format-slack-date.ts';
import {
  hideTokens,
  type MarkdownNode,
  restoreTokens,
} from '../../../../src/sandbox/slack-workspace/page/text/mark-live-tokens.ts';
import { snapshot } from './sample-snapshot.ts';

describe('dates', () => {
  const at = Date.UTC(2026, 1, 3, 13, 5, 9);
  const later = Date.UTC(2026, 1, 20);
  const said = (format: string, nowMs: number, timeZone = 'Europe/Madrid') =>
    formatSlackDate(format, { atMs: at, nowMs, timeZone });

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
    expect(said('{date_pretty} at {time}', at + 3_600_000, 'Asia/Tokyo')).toBe('Today at 10:05 PM');
    expect(said('{date_num} {time}', at, 'Pacific/Auckland')).toBe('2026-02-04 2:05 AM');
    const summer = { atMs: Date.UTC(2026, 6, 3, 23, 30), nowMs: later, timeZone: 'Europe/Madrid' };
    expect(formatSlackDate('{date_num} {time}', summer)).toBe('2026-07-04 1:30 AM');
    expect(said('{time}', at, 'America/St_Johns')).toBe('9:35 AM');
  });

  it('has no text for a placeholder that does not exist', () => {
    expect(said('{weekday}', at)).toBeUndefined();
  });
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

it('keeps the identity of what did not change', () => {
  const before = { a: { list: [{ id: 1 }, { id: 2 }] }, b: { name: 'x' } };
  const after = reuseUnchanged(before, structuredClone({ ...before, b: { name: 'y' } }));
  expect(after.a).toBe(before.a);
  expect(after.b).toEqual({ name: 'y' });
  expect(reuseUnchanged(before, structuredClone(before))).toBe(before);
});
