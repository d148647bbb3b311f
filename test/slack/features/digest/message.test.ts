import { expect, it } from 'vitest';
import type { OpenRequest } from '../../../../src/core/inbox/snapshot.ts';
import { digestMessage } from '../../../../src/slack/features/digest/message.ts';
import { sayIn } from '../../../support/say.ts';
import { openRequest } from '../../ui/home-views.ts';

const now = 1_000_000_000;

function request(index: number, about = ''): OpenRequest {
  return openRequest({
    run: { ref: `r${index}`, crew: 'editorial', channel: 'C1' },
    taskName: `Draft ${index}`,
    round: 2,
    askedAt: now - 7_200_000,
    output: { hash: `h${index}`, length: 5 },
    about,
  });
}

const shown = (
  count: number,
  language: 'en' | 'de' = 'en',
  home: string | null = 'https://slack.com/app_redirect?app=A1&team=T1',
) =>
  digestMessage({
    waiting: Array.from({ length: count }, (_, i) => request(i)),
    textOf: ({ output }) => `The text *${output.hash}*\nsecond line`,
    now,
    name: () => 'Aiko <!here>',
    home,
    say: sayIn(language),
  });

it('names what waits, who asks and how long, with a button each', () => {
  const message = shown(1);
  expect(message.text).toBe('1 request is waiting for you\n*Draft 0* · editorial · round 2');
  const text = JSON.stringify(message.blocks);
  for (const part of [
    '*Draft 0* · editorial',
    'Aiko &lt;!here&gt;',
    '2 h',
    '> The text',
    '"review"',
    '<https://slack.com/app_redirect',
  ])
    expect(text).toContain(part);
});

it('tells ten requests of one crew apart, by what each is about and its channel', () => {
  const waiting = [request(0, 'Bees, <!here>'), request(1, 'Tea')];
  const { blocks } = digestMessage({
    waiting,
    textOf: () => null,
    now,
    name: () => 'Aiko',
    home: null,
    say: sayIn('en'),
  });
  const text = JSON.stringify(blocks);
  for (const part of ['*Draft 0* · editorial · Bees, &lt;!here&gt; · round 2', 'Tea', 'Started by Aiko · <#C1> · '])
    expect(text).toContain(part);
});

it('shows the oldest ten, and says how many more there are', () => {
  const text = JSON.stringify(shown(12).blocks);
  expect(text).toContain('12 requests are waiting for you');
  expect(text.match(/"review"/g)).toHaveLength(10);
  expect(text).toContain('and 2 more');
});

it('speaks the language of the person, and says where Home is if it knows no address', () => {
  expect(shown(2, 'de').text).toMatch(/^2 Anfragen warten auf dich\n.*\n.*Runde 2$/);
  expect(JSON.stringify(shown(1, 'en', null).blocks)).toContain('in the *Home* tab');
});
