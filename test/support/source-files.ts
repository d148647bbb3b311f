import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseSync } from 'vite';

/** One file of TypeScript or JavaScript, parsed. */
export type SourceFile = {
  /** From the checkout's root, with forward slashes: `src/core/approval.ts`. */
  readonly path: string;
  readonly text: string;
  /** The syntax tree, flat. */
  readonly nodes: readonly SyntaxNode[];
};

/** A node of the syntax tree as ESTree and typescript-estree name them. */
export type SyntaxNode = { readonly type: string; readonly [property: string]: unknown };

/** Every source file below a folder of the checkout whose name ends so. */
export function sourceFilesIn(checkout: string, folder: string, ending = /\.(ts|tsx|mts|js|mjs|cjs)$/): SourceFile[] {
  return readdirSync(join(checkout, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => parseSource(relative(checkout, file).split(sep).join('/'), readFileSync(file, 'utf8')));
}

export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors.map(({ message }) => message).join('; ')}`);
  const nodes: SyntaxNode[] = [];
  collect(program, nodes);
  return { path, text, nodes };
}

function collect(value: unknown, into: SyntaxNode[]) {
  if (Array.isArray(value)) for (const item of value) collect(item, into);
  if (!isNode(value)) return;
  into.push(value);
  for (const child of Object.values(value)) if (typeof child === 'object') collect(child, into);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The text of an identifier or of a string literal. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier' && typeof node.name === 'string') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** The nodes of a list of the tree. */
export const nodesOf = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** `process.env` and `process['env']` are the member `env` of the object `process`, and so is `globalThis.process.env`. */
export function memberOf(node: SyntaxNode): { object?: string; property?: string } {
  if (node.type !== 'MemberExpression' || !isNode(node.object)) return {};
  const object = nameOf(node.object.property ?? node.object);
  const property = nameOf(node.property);
  return object === undefined || property === undefined ? {} : { object, property };
}
