import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  isNode,
  memberOf,
  nameOf,
  parseSource,
  type SourceFile,
  type SyntaxNode,
  sourceFilesIn,
} from '../support/source-files.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const SLACK = sourceFilesIn(CHECKOUT, 'src/slack');
/** What people read in a browser. */
const PAGES = sourceFilesIn(CHECKOUT, 'src/step-up');

/** All words lie in `language/`. */
const isCatalogue = (path: string) => path.startsWith('src/slack/language/');
/** They answer Slack's servers, and word the log. */
const RECEIVERS = 'src/slack/receivers/';

/** A word as it stands in a sentence: neither code nor a name with dots, slashes or underscores in it. */
const WORD = /^[“"'*(]*\p{L}[\p{L}’'-]*[”"'*).,;:!?…]*$/u;
const MOST_WORDS = 2;

const LOGGING = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** What only operators and developers read: logs, and errors that are thrown. */
function isForDevelopers(node: SyntaxNode): boolean {
  if (node.type === 'ThrowStatement') return true;
  if (!isNode(node.callee)) return false;
  const callee = node.callee;
  if (node.type === 'NewExpression') return nameOf(callee)?.endsWith('Error') === true;
  if (node.type !== 'CallExpression') return false;
  const { object = '', property = '' } = memberOf(callee);
  return callee.type === 'Super' || (/^log(ger)?$/.test(object) && LOGGING.includes(property));
}

/** The text of a literal or template, with a mark for each value in it. */
function textOf(node: SyntaxNode): string {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return '';
  return node.quasis.map((part) => (isNode(part) ? String(Object(part.value).cooked ?? '') : '')).join(' … ');
}

/** They recognise what agents and people write, and say nothing themselves. */
const RECOGNISERS = ['src/slack/ui/structure.ts', 'src/slack/request/edits/wishes.ts'];

/** As `path: “sentence”`. */
function sentencesIn({ path, nodes }: SourceFile): string[] {
  if (isCatalogue(path) || path.startsWith(RECEIVERS) || RECOGNISERS.includes(path)) return [];
  const spans = nodes.filter(isForDevelopers).map(({ start, end }) => ({ start: Number(start), end: Number(end) }));
  return nodes
    .filter(({ start }) => !spans.some((span) => span.start <= Number(start) && Number(start) < span.end))
    .map(textOf)
    .filter((text) => text.split(/\s+/).filter((word) => WORD.test(word)).length > MOST_WORDS)
    .map((text) => `${path}: “${text.trim()}”`);
}

/** Keys are written out, or begin with words that are: `say(\`problem.${kind}\`)`. */
function unsaidKeys(files: readonly SourceFile[]): string[] {
  const users = [...files, ...PAGES].filter(({ path }) => !isCatalogue(path));
  const used = new Set(users.flatMap(({ nodes }) => nodes.map(textOf)));
  const beginnings = users.flatMap(({ nodes }) => nodes.flatMap(keyBeginning));
  return files
    .filter(({ path }) => isCatalogue(path))
    .flatMap(({ path, nodes }) => keysIn(nodes).map((key) => ({ path, key })))
    .filter(({ key }) => !used.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)))
    .map(({ path, key }) => `${path}: ${key}`);
}

/** A key is quoted, and has a dot: `'answer.late'`. */
function keysIn(nodes: readonly SyntaxNode[]): string[] {
  const names = nodes.flatMap((node) => (node.type === 'Property' ? (nameOf(node.key) ?? []) : []));
  return [...new Set(names.filter((name) => /^[a-z-]+\./.test(name)))];
}

function keyBeginning(node: SyntaxNode): string[] {
  const [beginning = '', ...rest] = node.type === 'TemplateLiteral' ? textOf(node).split(' … ') : [];
  return rest.length > 0 && /^[a-z-]+\./.test(beginning) ? [beginning] : [];
}

it('has all that people read in Slack in the catalogues', () => {
  expect(SLACK.flatMap(sentencesIn)).toEqual([]);
});

it('says every message of the catalogues', () => {
  expect(SLACK.filter(({ path }) => isCatalogue(path)).flatMap(({ nodes }) => keysIn(nodes)).length).toBeGreaterThan(
    500,
  );
  expect(unsaidKeys(SLACK)).toEqual([]);
});

it.each([
  `const text = 'Nothing was changed.';`,
  `const text = \`\${name} approved this *already*.\`;`,
  `say(isOld ? 'Out of date, sorry.' : 'fine');`,
])('finds the sentence in %s', (text) => {
  expect(sentencesIn(parseSource('src/slack/ui/answer.ts', text))).toHaveLength(1);
});

it.each([
  `log.warn({ err }, 'could not open a modal');`,
  `throw new TypeError(\`no such view as \${name}\`);`,
  `class Unreadable extends Error { constructor() { super('not a request of Slack'); } }`,
  `// Nothing was changed by this.\nconst command = \`/kickoff connect \${crew}\`;`,
])('finds none in %s', (text) => {
  expect(sentencesIn(parseSource('src/slack/ui/answer.ts', text))).toEqual([]);
});

it('finds a message that nothing says', () => {
  const catalogue = `export const WORDS = { 'answer.a': 'A.', 'answer.old': 'Old.', 'problem.b': 'B.' };`;
  const user = `say('answer.a'); say(\`problem.\${kind}\`);`;
  const files = [parseSource('src/slack/language/words/run.ts', catalogue), parseSource('src/slack/run/root.ts', user)];
  expect(unsaidKeys(files)).toEqual(['src/slack/language/words/run.ts: answer.old']);
});
