import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/core/policy/crew.ts';
import { CATALOGUES } from '../../../src/slack/language/catalogues.ts';
import { CONFIRM_BUTTON_LIMIT, CONFIRM_TITLE_LIMIT, MODAL_TITLE_LIMIT } from '../../../src/slack/ui/limits.ts';
import { nameOf, nodesOf, type SourceFile, type SyntaxNode, sourceFilesIn } from '../../support/source-files.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the words of a modal or of a question stand, and the most that Slack takes there. */
const MODAL = { title: MODAL_TITLE_LIMIT, submit: MODAL_TITLE_LIMIT, close: MODAL_TITLE_LIMIT };
const QUESTION = { title: CONFIRM_TITLE_LIMIT, yes: CONFIRM_BUTTON_LIMIT, no: CONFIRM_BUTTON_LIMIT };

const english: Record<string, string> = CATALOGUES.en;
/** What is made with values is tried with its view. */
const keys = Object.keys(english).filter((key) => !english[key]?.includes('{'));

/** The messages that the code can put into these properties, each with its limit. */
function wordsIn({ nodes }: SourceFile): [string, number][] {
  return nodes.flatMap((node) => {
    const properties = nodesOf(node.properties).filter(({ type }) => type === 'Property');
    const names = properties.map(({ key }) => nameOf(key));
    const limits: Record<string, number> = names.includes('yes') ? QUESTION : MODAL;
    return properties.flatMap(({ key, value }) => {
      const limit = limits[nameOf(key) ?? ''];
      return limit === undefined ? [] : keysIn(nodes, value).map((each): [string, number] => [each, limit]);
    });
  });
}

/** The keys in this part of the tree, also those that begin as a template does. */
function keysIn(nodes: readonly SyntaxNode[], part: unknown): string[] {
  const { start, end } = Object(part);
  const inside = nodes.filter((node) => Number(node.start) >= start && Number(node.end) <= end);
  const texts = inside.flatMap((node) => nameOf(node) ?? []);
  const beginnings = inside
    .flatMap((node) => nodesOf(node.quasis).slice(0, 1))
    .map(({ value }) => Object(value).cooked);
  return keys.filter((key) => texts.includes(key) || beginnings.some((each) => each !== '' && key.startsWith(each)));
}

const words = sourceFilesIn(CHECKOUT, 'src/slack').flatMap(wordsIn);
const questions = new Set(words.flatMap(([key, limit]) => (limit === CONFIRM_TITLE_LIMIT ? [key] : [])));
/** Titles that reach their modal by way of a variable. */
const named = keys.filter((key) => /[.-]title\b/.test(key) && !questions.has(key));
const limited = [...words, ...named.map((key): [string, number] => [key, MODAL_TITLE_LIMIT])];

describe('titles and buttons of modals and questions', () => {
  it.each(LANGUAGES)('are short enough for Slack in %s', (language) => {
    const messages: Record<string, string> = CATALOGUES[language];
    const tooLong = limited.filter(([key, limit]) => (messages[key] ?? '').length > limit);
    expect(tooLong.map(([key, limit]) => `${key}: “${messages[key]}” has more than ${limit} characters`)).toEqual([]);
  });

  it('are all found', () => {
    const found = limited.map(([key]) => key);
    expect(new Set(found).size).toBeGreaterThan(40);
    expect(found).toEqual(expect.arrayContaining(['feedback.title', 'modal.back', 'card.approve', 'answer.no-change']));
    expect([...questions]).toContain('card.repeats-title');
  });
});
