import { posix } from 'node:path';
import { isNode, nameOf, nodesOf, type SourceFile, type SyntaxNode } from '../support/source-files.ts';
import type { Rule, TestedRule } from './rule.ts';

/** Node.js, Vite and people's crew files find these by their names. */
const LOADED_BY_NAME = [
  'src/sandbox/crew-service/crew.ts',
  'src/sandbox/crew-service/crews/crews.ts',
  'src/sandbox/crew-service/crew-process/child/resolve-crew.mjs',
];

const ENTRY_POINT = /^src\/(main|webhook|audit|policy|doctor\/main|sandbox\/[a-z-]+\/main)\.ts$|\.config\.ts$/;

const isLoaded = (path: string) => ENTRY_POINT.test(path) || LOADED_BY_NAME.includes(path);

/**
 * What a file of src/ exports is imported by another file. A test may import a limit or a part of its file's work, but
 * what only tests use is dead code; except in the sandbox, whose drivers are there for the tests.
 */
const noUnusedExports: Rule = (files) => {
  const source = files.filter(({ path }) => path.startsWith('src/'));
  const usedInSource = new Set(source.flatMap(usesOf));
  const usedAnywhere = new Set(files.flatMap(usesOf));
  const faultOf = (file: SourceFile, name: string) => {
    const isUsed = (uses: Set<string>) => uses.has(`${file.path} ${name}`) || uses.has(`${file.path} *`);
    if (!isUsed(usedAnywhere)) return 'nothing imports it';
    const isForTests = !isUsed(usedInSource) && !isUsedWithin(file, name) && !file.path.startsWith('src/sandbox/');
    return isForTests ? 'only tests use it' : undefined;
  };
  return source
    .filter(({ path }) => !isLoaded(path))
    .flatMap((file) => exportsOf(file).map((name) => ({ file, name, fault: faultOf(file, name) })))
    .filter(({ fault }) => fault !== undefined)
    .map(({ file, name, fault }) => `${file.path}: exports ${name}, but ${fault}`);
};

const isUsedWithin = ({ nodes }: SourceFile, name: string) =>
  nodes.filter((node) => node.type === 'Identifier' && node.name === name).length > 1;

function exportsOf({ nodes }: SourceFile): string[] {
  return nodes.flatMap(({ type, declaration, specifiers }) => {
    if (type === 'ExportDefaultDeclaration') return ['default'];
    if (type !== 'ExportNamedDeclaration') return [];
    const declared = isNode(declaration) ? [declaration, ...nodesOf(declaration.declarations)] : [];
    const names = [...declared.map(({ id }) => id), ...nodesOf(specifiers).map(({ exported }) => exported)];
    return names.map(nameOf).filter((name) => name !== undefined);
  });
}

/** What a file imports, as `path name`; `*` for a whole module. */
function usesOf({ path, nodes }: SourceFile): string[] {
  return nodes.flatMap(({ type, source, specifiers }) => {
    const specifier = nameOf(source);
    if (!specifier?.startsWith('.')) return [];
    const target = posix.join(posix.dirname(path), specifier);
    if (!['ImportDeclaration', 'ExportNamedDeclaration'].includes(type)) return [`${target} *`];
    return nodesOf(specifiers).map((one) => `${target} ${importedNameOf(one)}`);
  });
}

function importedNameOf({ type, imported, local }: SyntaxNode): string {
  if (type === 'ImportNamespaceSpecifier') return '*';
  if (type === 'ImportDefaultSpecifier') return 'default';
  return nameOf(type === 'ImportSpecifier' ? imported : local) ?? '*';
}

const TIME = 'src/core/time.ts';

export const EXPORT_RULES: Record<string, TestedRule> = {
  'what is exported is used': {
    rule: noUnusedExports,
    folders: ['src', 'test'],
    broken: [
      { [TIME]: 'export const SECOND_MS = 1_000;', 'src/worker/worker.ts': 'const SECOND_MS = 1;' },
      { [TIME]: 'export type Millis = number; export const now = (at: Millis) => at;' },
      { [TIME]: 'function now() {} export { now };' },
      { [TIME]: 'export class Clock {}', 'src/core/due.ts': `import { Clocks } from './time.ts';` },
      { [TIME]: 'export const now = 1;', 'src/core/due.ts': `export { now } from './time.ts';` },
      { [TIME]: 'export const now = 1;', 'test/time.test.ts': `import { now } from '../src/core/time.ts';` },
    ],
    kept: [
      { [TIME]: 'export const now = 1;', 'src/main.ts': `import { now as at } from './core/time.ts';` },
      { [TIME]: 'export type Millis = 1;', 'src/main.ts': `import type { Millis } from './core/time.ts';` },
      { [TIME]: 'export const a = 1; const b = a;', 'test/time.test.ts': `import { a } from '../src/core/time.ts';` },
      { 'src/setup/build.mjs': 'export const build = 1;', 'src/setup/cli.mjs': `await import('./build.mjs');` },
      {
        'src/sandbox/driver.ts': 'export const a = 1;',
        'test/a.test.ts': `import { a } from '../src/sandbox/driver.ts';`,
      },
      { 'src/main.ts': 'export const bot = 1;' },
      { 'src/sandbox/crew-service/crew.ts': 'export const defineCrew = 1;' },
    ],
  },
};
