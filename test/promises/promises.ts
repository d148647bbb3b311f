import { isNode, nameOf, nodesOf, type SourceFile, type SyntaxNode, sourceFilesIn } from '../support/source-files.ts';

export const testFilesIn = (checkout: string) => sourceFilesIn(checkout, 'test', /\.test\.ts$/);

/** Returns a Markdown page with the titles of all tests, by folder and file. Groups of tests are nested lists. */
export function promisesPage(files: readonly SourceFile[]): string {
  const tests = files.toSorted((a, b) => a.path.localeCompare(b.path));
  const areas = [...new Set(tests.map(areaOf))].toSorted();
  const sections = areas.map((area) =>
    sectionOf(
      area,
      tests.filter((file) => areaOf(file) === area),
    ),
  );
  return ['# What the tests promise', ...sections].join('\n\n');
}

function areaOf({ path }: SourceFile): string {
  return path.split('/').slice(1, -1).join('/') || 'all programs';
}

function sectionOf(area: string, files: readonly SourceFile[]): string {
  const lists = files.map((file) => `### ${file.path}\n\n${titlesIn(file).join('\n')}`);
  return [`## ${area}`, ...lists].join('\n\n');
}

function titlesIn({ nodes }: SourceFile): string[] {
  const listOf = (node: unknown, indent: string): string[] => {
    if (Array.isArray(node)) return node.flatMap((each) => listOf(each, indent));
    if (!isNode(node)) return [];
    const titles = ownTitles(node, nodes);
    const inner = Object.values(node).flatMap((child) => listOf(child, titles ? `${indent}  ` : indent));
    return [...(titles ?? []).map((title) => `${indent}- ${title}`), ...inner];
  };
  return listOf(nodes[0], '');
}

/** Returns what a call of `it`, `test` or `describe` is titled, or undefined for any other node. */
function ownTitles(node: SyntaxNode, nodes: readonly SyntaxNode[]): string[] | undefined {
  if (node.type !== 'CallExpression' || !/^(it|test|describe)$/.test(calledName(node.callee))) return undefined;
  const [first] = nodesOf(node.arguments);
  const title = textOf(first, nodes);
  // A table of titles, such as `it.each(ATTACKS)('%s', …)`.
  const rows = title?.startsWith('%s') && isNode(node.callee) ? rowNames(node.callee, nodes) : [];
  if (title === undefined || rows.length === 0) return title === undefined ? undefined : [title];
  return [...new Set(rows.map((row) => title.replace('%s', row)))];
}

/** Returns `it` for `it`, `it.concurrent` and `it.each(…)`, unless it is a call that only gets the rows of `each`. */
function calledName(callee: unknown): string {
  if (!isNode(callee)) return '';
  if (callee.type === 'MemberExpression') return nameOf(callee.property) === 'each' ? '' : calledName(callee.object);
  if (callee.type !== 'CallExpression') return nameOf(callee) ?? '';
  return isNode(callee.callee) ? calledName(callee.callee.object) : '';
}

function textOf(node: unknown, nodes: readonly SyntaxNode[]): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'TemplateLiteral')
    return nodesOf(node.quasis)
      .map(({ value }) => Object(value).cooked ?? '')
      .join('…');
  return node.type === 'Identifier' ? textOf(constantOf(node, nodes), nodes) : nameOf(node);
}

function rowNames(call: SyntaxNode, nodes: readonly SyntaxNode[]): string[] {
  const [rows] = nodesOf(call.arguments).map((node) => (node.type === 'Identifier' ? constantOf(node, nodes) : node));
  return nodesOf(rows?.elements).flatMap((row) => nameOf(nodesOf(row.elements)[0] ?? row) ?? []);
}

/** Returns what a constant of the same file is. */
function constantOf(name: SyntaxNode, nodes: readonly SyntaxNode[]): SyntaxNode | undefined {
  const constant = nodes.find(({ type, id }) => type === 'VariableDeclarator' && nameOf(id) === nameOf(name));
  return isNode(constant?.init) ? constant.init : undefined;
}
