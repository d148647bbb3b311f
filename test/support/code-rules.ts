import type { Rule } from './layout-rules.ts';
import { isNode, memberOf, nameOf, nodesOf, type SyntaxNode } from './source-files.ts';

const EMPTY_NAMES = /(^|-)(utils?|helpers?|common|managers?|misc|shared)$/;

/** A folder is named by its thing, a file by what it exports. */
export const names: Rule = ({ path }) => {
  const parts = path.replace(/(\.[a-z]+)+$/, '').split('/');
  const file = parts.at(-1) ?? '';
  return [
    ...parts.filter((part) => EMPTY_NAMES.test(part)).map((part) => `"${part}" says nothing`),
    ...(/(^|-)services?$/.test(file) ? [`"${file}" says nothing`] : []),
    ...parts.filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)).map((part) => `"${part}" is not kebab-case`),
  ];
};

/** Who reads an import sees where the thing lives. */
export const noBarrels: Rule = ({ path, nodes }) => {
  if (/\/index\.[a-z]+$/.test(path)) return ['is a barrel by its name'];
  const program = nodes.find(({ type }) => type === 'Program');
  const statements = nodesOf(program?.body);
  const passesOn = statements.filter(({ type, source }) => type.startsWith('Export') && isNode(source));
  if (passesOn.some(({ type }) => type === 'ExportAllDeclaration')) return ['re-exports a whole file'];
  return statements.length > 0 && passesOn.length === statements.length ? ['only re-exports'] : [];
};

/** A thing has one name everywhere; tools, and a page that loads its parts lazily, have no choice. */
export const namedExports: Rule = ({ path, nodes }) => {
  if (path.endsWith('.config.ts') || path.startsWith('src/sandbox/slack-workspace/page/')) return [];
  return nodes.some(isDefaultExport) ? ['has a default export'] : [];
};

function isDefaultExport({ type, exported }: SyntaxNode): boolean {
  return type === 'ExportDefaultDeclaration' || (type === 'ExportSpecifier' && nameOf(exported) === 'default');
}

/** Types are not talked away. */
export const honestTypes: Rule = ({ text, nodes }) => {
  const casts = nodes.filter(({ type, expression }) => type === 'TSAsExpression' && isCastToUnknown(expression));
  return [
    ...casts.map(() => 'casts `as unknown as`'),
    ...(/@ts-(ignore|nocheck|expect-error)/.test(text) ? ['silences the type checker'] : []),
  ];
};

/** What is to be done is done, or an issue. */
export const noLeftovers: Rule = ({ text }) =>
  /\b(TODO|FIXME|XXX)\b/.test(text) ? ['has a note about work left undone'] : [];

const TESTS = ['it', 'test', 'describe', 'suite', 'concurrent', 'sequential'];
const MOCKING = ['mock', 'doMock', 'useFakeTimers', 'setSystemTime'];
const LEAVING_OUT = ['only', 'skip', 'skipIf', 'runIf', 'todo', 'fails'];

/** A green run means that everything ran, against the real thing. */
export const honestTests: Rule = ({ nodes }) =>
  nodes.flatMap((node) => {
    const { object = '', property = '' } = memberOf(node);
    const mocks = object === 'vi' && MOCKING.includes(property);
    const leavesOut = TESTS.includes(object) && LEAVING_OUT.includes(property);
    return mocks || leavesOut ? [`uses ${object}.${property}`] : [];
  });

function isCastToUnknown(expression: unknown): boolean {
  if (!isNode(expression) || expression.type !== 'TSAsExpression') return false;
  return isNode(expression.typeAnnotation) && expression.typeAnnotation.type === 'TSUnknownKeyword';
}
