import { isNode, memberOf, nameOf, type SyntaxNode } from '../support/source-files.ts';
import { forEachFile, type Rule, type TestedRule } from './rule.ts';

const LANGUAGE = 'src/slack/language/';
/** They answer Slack's servers, and word the log. */
const FOR_OPERATORS = ['src/slack/receivers/http-receiver.ts', 'src/slack/receivers/socket-supervisor.ts'];

const isWorded = (path: string) =>
  path.startsWith('src/slack/') && !path.startsWith(LANGUAGE) && !FOR_OPERATORS.includes(path);

/** A word as it stands in a sentence: neither code nor a name with dots, slashes or underscores in it. */
const WORD = /^[“"'*(]*\p{L}[\p{L}’'-]*[”"'*).,;:!?…]*$/u;
const MOST_WORDS = 2;

/** What only operators and developers read. */
const LOGGING = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

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

const spanOf = ({ start, end }: SyntaxNode) => ({ start: Number(start), end: Number(end) });

const noSentences = forEachFile(({ path, nodes }) => {
  if (!isWorded(path)) return [];
  const developers = nodes.filter(isForDevelopers).map(spanOf);
  return nodes.flatMap((node) => {
    const text = textOf(node);
    if (text.split(/\s+/).filter((word) => WORD.test(word)).length <= MOST_WORDS) return [];
    const { start } = spanOf(node);
    const isHidden = developers.some((span) => span.start <= start && start < span.end);
    return isHidden ? [] : [`says “${text.trim()}” outside the catalogues`];
  });
});

/** Keys are written out, or begin with words that are: `say(\`problem.${kind}\`)`. */
const everyKeyUsed: Rule = (files) => {
  const catalogues = files.filter(({ path }) => path.startsWith(`${LANGUAGE}en/`));
  const users = files.filter(({ path }) => path.startsWith('src/slack/') && !path.startsWith(LANGUAGE));
  const used = new Set(users.flatMap(({ nodes }) => nodes.map(textOf)));
  const beginnings = users.flatMap(({ nodes }) => nodes.flatMap(keyBeginning));
  return catalogues.flatMap(({ path, nodes }) =>
    nodes
      .flatMap((node) => (node.type === 'Property' ? (nameOf(node.key) ?? []) : []))
      .filter((key) => !used.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)))
      .map((key) => `${path}: nothing says ${key}`),
  );
};

function keyBeginning(node: SyntaxNode): string[] {
  const [beginning = '', ...rest] = node.type === 'TemplateLiteral' ? textOf(node).split(' … ') : [];
  return rest.length > 0 && /^[a-z-]+\./.test(beginning) ? [beginning] : [];
}

export const SENTENCE_RULES: Record<string, TestedRule> = {
  'what people read in Slack is in the catalogues': {
    rule: noSentences,
    folders: ['src'],
    broken: [
      { 'src/slack/ui/answer.ts': `const text = 'Nothing was changed.';` },
      { 'src/slack/ui/answer.ts': `const text = \`\${name} approved this *already*.\`;` },
      { 'src/slack/run/root.ts': `section("Started by somebody else");` },
      { 'src/slack/run/root.ts': `say(isOld ? 'Out of date, sorry.' : 'fine');` },
    ],
    kept: [
      { 'src/slack/language/en/answers.ts': `export const ANSWERS = { 'a.b': 'Nothing was changed.' };` },
      { 'src/slack/ui/answer.ts': `log.warn({ err }, 'could not open a modal');` },
      { 'src/slack/ui/answer.ts': `throw new TypeError(\`no such view as \${name}\`);` },
      {
        'src/slack/ui/answer.ts': `class Unreadable extends Error { constructor() { super('not a request of Slack'); } }`,
      },
      { 'src/slack/ui/answer.ts': `// Nothing was changed by this.\nconst command = \`/kickoff connect \${crew}\`;` },
      { 'src/ledger/story.ts': `const text = 'Nothing was changed.';` },
    ],
  },
  'every message of the catalogue is used': {
    rule: everyKeyUsed,
    folders: ['src'],
    broken: [
      { 'src/slack/language/en/answers.ts': `export const ANSWERS = { 'answer.old': 'Old.' };` },
      {
        'src/slack/language/en/answers.ts': `export const ANSWERS = { 'answer.old': 'Old.' };`,
        'src/slack/language/say.ts': `say('answer.old');`,
      },
    ],
    kept: [
      {
        'src/slack/language/en/answers.ts': `export const ANSWERS = { 'answer.a': 'A.', 'problem.b': 'B.' };`,
        'src/slack/ui/answer.ts': `say('answer.a'); say(\`problem.\${kind}\`);`,
      },
    ],
  },
};
