import { randomInt } from 'node:crypto';
import type { HomeView, ModalView } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/core/policy/crew.ts';
import { plainerThan } from '../../../src/core/state/post.ts';
import { cleanText } from '../../../src/core/values/text.ts';
import {
  blockTextLength,
  checkMessage,
  whyTooLong,
} from '../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import { checkView, viewIsTooLarge } from '../../../src/sandbox/slack-workspace/block-kit/check-view.ts';
import { CATALOGUES } from '../../../src/slack/language/catalogues.ts';
import type { Rendered } from '../../../src/slack/ui/blocks.ts';
import { everyNth, runs, TRIES_ALL } from '../../support/sample.ts';
import { everyMessage, everyModal, everyReply } from './every-view.ts';
import { everyHome } from './home-views.ts';
import { HOSTILE, hostileText } from './hostile.ts';
import { say, speak } from './models.ts';
import { actionsOf, liveIn, partsOf } from './said.ts';

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

/** What Slack makes of a markdown block, and may refuse, is tried in test/slack/thread/content-refusals.test.ts. */
const withoutMarkdown = (blocks: { type: string }[]) => blocks.filter(({ type }) => type !== 'markdown');

function messageProblems(name: string, { text, blocks }: Rendered): string[] {
  const json = asJson(blocks);
  const length = blockTextLength(json);
  const checked = withoutMarkdown(json);
  const tooLong = whyTooLong(checked, checked);
  return [
    ...(tooLong ? [`${name}: ${tooLong.detail}`] : []),
    ...checkMessage(checked).map(({ pointer, message }) => `${name} ${pointer}: ${message}`),
    ...(length > 10_000 ? [`${name} has ${length} characters of block text`] : []),
    ...(text.length > 3_000 || text.trim() === '' ? [`${name} has a text of ${text.length} characters`] : []),
  ];
}

function modalProblems(name: string, view: ModalView): string[] {
  const json = asJson(view);
  const shortened = [view.title, view.submit, view.close].filter((words) => isCut(words?.text ?? ''));
  return [
    ...checkView(json).map(({ pointer, message }) => `${name} ${pointer}: ${message}`),
    ...(viewIsTooLarge(json) ? [`${name} is too large`] : []),
    ...shortened.map((words) => `${name}: “${words?.text}” is cut`),
  ];
}

function homeProblems(name: string, view: HomeView): string[] {
  const json = asJson(view);
  return [
    ...checkView(json).map(({ pointer, message }) => `${name} ${pointer}: ${message}`),
    ...(viewIsTooLarge(json) ? [`${name} is too large`] : []),
  ];
}

/** Some messages end with an ellipsis themselves. */
function isCut(words: string): boolean {
  const messages: string[] = Object.values(CATALOGUES[say.language]);
  return words.endsWith('…') && !messages.includes(words);
}

/** All messages as designed, and more plainly what there is more plainly. */
function messagesIn(text: string): [string, Rendered][] {
  const plainer = plainerThan('full').flatMap((rendering) =>
    everyReply(text, rendering).map(([name, message]): [string, Rendered] => [`${name}, ${rendering}`, message]),
  );
  return [...everyMessage(text), ...plainer];
}

/** What is live in each view of a harmless text. */
function liveWhenCalm(language: Language) {
  speak(language);
  return {
    messages: messagesIn('calm').map(([, message]) => new Set(liveIn(message))),
    modals: everyModal('calm').map(([, { blocks }]) => new Set(liveIn({ blocks }))),
    homes: everyHome('calm').map(([, { blocks }]) => new Set(liveIn({ blocks }))),
  };
}

/** English comes last: views are said in it unless a test says otherwise. */
const CALM = { de: liveWhenCalm('de'), en: liveWhenCalm('en') };

/** What is live in a view, and not in the same view of a harmless text. */
function forged(name: string, shown: { blocks: unknown; text?: string }, ours: Set<string> | undefined): string[] {
  return liveIn(shown)
    .filter((each) => !ours?.has(each))
    .map((each) => `${name}: ${each} is live`);
}

/** Whatever is wrong with any view that has the text in every place that is filled from outside. */
function problems(text: string, shown = messagesIn(text)): string[] {
  const calm = CALM[say.language];
  const messages = shown.flatMap(([name, message], i) => [
    ...messageProblems(name, message),
    ...forged(name, message, calm.messages[i]),
  ]);
  const modals = everyModal(text).flatMap(([name, view], i) => [
    ...modalProblems(name, view),
    ...forged(name, { blocks: view.blocks }, calm.modals[i]),
  ]);
  const homes = everyHome(text).flatMap(([name, view], i) => [
    ...homeProblems(name, view),
    ...forged(name, { blocks: view.blocks }, calm.homes[i]),
  ]);
  return [...messages, ...modals, ...homes];
}

/** Few, since another language changes only the words around them: what is longest once it is escaped, and nothing. */
const IN_GERMAN = [
  ['harmless', 'calm'],
  ...HOSTILE.filter(([name]) => ['angle brackets', 'emoji', 'nothing', 'a table without a cell'].includes(name)),
] as const;

/** The buttons of each message as designed, but for what reads the rest of a long text. */
function buttonsOf(messages: [string, Rendered][]) {
  const always = (id: string) => id !== 'review';
  return messages.slice(0, DESIGNED).map(([name, message]) => [name, actionsOf(message).filter(always)]);
}

/** Longer texts are shown only by their beginnings. */
const MEGABYTES = 100_000;
const DESIGNED = everyMessage('calm').length;

/** Every sixteenth one, others in each run: each fills some hundred views, which with megabytes takes half a minute. */
const TRIED = everyNth(16, TRIES_ALL ? HOSTILE : HOSTILE.filter(([, text]) => text.length < MEGABYTES), randomInt(16));

describe('every message, modal and Home', () => {
  const usual = buttonsOf(everyMessage('calm'));

  it('has the plan of a run among what is checked, in every state but the last', () => {
    const withPlan = everyMessage('calm').filter(([, { blocks }]) => blocks.some(({ type }) => type === 'plan'));
    const states = new Set(withPlan.map(([name]) => name));
    for (const state of ['starting', 'running', 'waiting', 'failed', 'lost'])
      expect(states).toContain(`root: ${state}`);
    expect(states).not.toContain('root: completed');
  });

  it.each(TRIED)(
    'is accepted, with nothing live in it, and the usual buttons, if all foreign text is %s',
    (_, text) => {
      const shown = messagesIn(text);
      expect(problems(text, shown)).toEqual([]);
      const beginning = text.slice(0, MEGABYTES);
      const messages = beginning === text ? shown : everyMessage(beginning);
      if (cleanText(beginning).trim() !== '') expect(buttonsOf(messages)).toEqual(usual);
    },
  );

  it('is accepted, with nothing live in it, whatever the foreign text', () => {
    fc.assert(
      fc.property(hostileText, (text) => void expect(problems(text)).toEqual([])),
      runs({ some: 2, all: 40 }),
    );
  });

  it.each(IN_GERMAN)('is accepted in German as well if all foreign text is %s', (_, text) => {
    speak('de');
    try {
      expect(problems(text)).toEqual([]);
    } finally {
      speak('en');
    }
  });

  it('never lets Slack link names and addresses by itself', () => {
    const parts = [...everyMessage('calm'), ...everyModal('calm'), ...everyHome('calm')].flatMap(([, { blocks }]) =>
      partsOf(blocks),
    );
    const marked = parts.filter(({ type }) => type === 'mrkdwn');
    expect(marked.length).toBeGreaterThan(50);
    expect(marked.filter(({ verbatim }) => verbatim !== true)).toEqual([]);
  });
});
