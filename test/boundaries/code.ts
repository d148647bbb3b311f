import { isNode, memberOf, nameOf, type SyntaxNode } from '../support/source-files.ts';
import { layerOf } from './layers.ts';
import { forEachFile, type TestedRule } from './rule.ts';

// The launcher is an entry point in several files.
const isEntryPoint = (path: string) =>
  ['entry', 'setup'].includes(layerOf(path) ?? '') || /^src\/(doctor|sandbox\/[a-z-]+)\/main\.ts$/.test(path);

const ENDING = ['exit', 'exitCode', 'abort'];

/** The linter sees `process.env`, but neither a destructured `process` nor what ends it. */
const leavesTheProcessAlone = forEachFile(({ path, nodes }) => {
  if (isEntryPoint(path)) return [];
  return nodes.flatMap((node) => {
    const { object, property = '' } = memberOf(node);
    if (object === 'process' && ENDING.includes(property)) return [`only an entry point uses process.${property}`];
    const destructures = node.type === 'VariableDeclarator' && nameOf(node.init) === 'process';
    return destructures ? ['only an entry point destructures process'] : [];
  });
});

/** The linter forbids `any` and @ts-expect-error; these say the same in other words. */
const honestTypes = forEachFile(({ text, nodes }) => [
  ...nodes
    .filter(({ type, expression }) => type === 'TSAsExpression' && isCastToUnknown(expression))
    .map(() => 'casts `as unknown as`'),
  ...(/@ts-(nocheck|expect-error)/.test(text) ? ['silences the type checker'] : []),
]);

function isCastToUnknown(expression: unknown): boolean {
  if (!isNode(expression) || expression.type !== 'TSAsExpression') return false;
  return isNode(expression.typeAnnotation) && expression.typeAnnotation.type === 'TSUnknownKeyword';
}

/** The linter forbids `any`, but a comment can switch that off. */
const noHiddenAny = forEachFile(({ text, comments }) =>
  comments
    .map(({ start, end }) => text.slice(start, end))
    .filter((comment) => /biome-ignore\S* lint(\/suspicious(\/noExplicitAny)?)?(?![\w/])/.test(comment))
    .map(() => 'has the linter overlook an any'),
);

const visibleImports = forEachFile(({ nodes }) =>
  nodes.filter(({ type }) => type === 'TSImportType').map(() => 'imports a type inline'),
);

const noLeftovers = forEachFile(({ text }) =>
  /\b(TODO|FIXME|XXX)\b/.test(text) ? ['has a comment about unfinished work'] : [],
);

const TESTS = ['it', 'test', 'describe', 'suite', 'concurrent', 'sequential'];
const MOCKING = ['mock', 'doMock', 'useFakeTimers', 'setSystemTime'];
const LEAVING_OUT = ['skipIf', 'runIf', 'todo', 'fails'];

/** The linter finds `only` and `skip`. */
const honestTests = forEachFile(({ nodes }) => nodes.flatMap(dishonestyOf));

function dishonestyOf(node: SyntaxNode): string[] {
  const { object = '', property = '' } = memberOf(node);
  const mocks = object === 'vi' && MOCKING.includes(property);
  const leavesOut = TESTS.includes(object) && LEAVING_OUT.includes(property);
  return mocks || leavesOut ? [`uses ${object}.${property}`] : [];
}

export const CODE_RULES: Record<string, TestedRule> = {
  'only entry points end the process': {
    rule: leavesTheProcessAlone,
    folders: ['src'],
    broken: [
      { 'src/config/config.ts': 'const { env } = process;' },
      { 'src/slack/api/app.ts': 'process.exit(1);' },
      { 'src/worker/worker.ts': 'globalThis.process.exitCode = 1;' },
      { 'src/sandbox/crew-service/server.ts': 'process.abort();' },
    ],
    kept: [
      { 'src/main.ts': 'if (process.env.PORT === undefined) process.exit(1);' },
      { 'src/sandbox/demo/main.ts': 'const { env } = process;' },
      { 'src/worker/worker.ts': '// process.exit is for main.ts\nconst used = process.memoryUsage();' },
    ],
  },
  'the type checker is not talked out of anything': {
    rule: honestTypes,
    folders: ['src'],
    broken: [
      { 'src/crew/parse.ts': 'const id = body as unknown as string;' },
      { 'src/crew/parse.ts': '// @ts-expect-error it works\nconst id: string = 1;' },
    ],
    kept: [{ 'src/crew/parse.ts': 'const kind = body as const; const any = body as unknown;' }],
  },
  'no any is hidden from the linter': {
    rule: noHiddenAny,
    folders: ['src', 'test'],
    broken: [
      { 'src/crew/parse.ts': '// biome-ignore lint/suspicious/noExplicitAny: it works\nconst id: any = 1;' },
      { 'test/support/reply.ts': '// biome-ignore-all lint/suspicious/noExplicitAny: it works\nconst id: any = 1;' },
      { 'test/support/reply.ts': '/* biome-ignore-start lint/suspicious: it works */\nconst id: any = 1;' },
      { 'test/core/claim.test.ts': '// biome-ignore lint: it works\nconst id: any = 1;' },
    ],
    kept: [
      { 'src/page/list.tsx': '// biome-ignore lint/suspicious/noArrayIndexKey: they never move\nconst key = 1;' },
      { 'test/boundaries/code.ts': `const text = '// biome-ignore lint/suspicious/noExplicitAny: it works';` },
    ],
  },
  'types are imported where the linter looks for cycles': {
    rule: visibleImports,
    folders: ['src', 'test'],
    broken: [{ 'src/crew/parse.ts': `type Crew = import('./crew.ts').Crew;` }],
    kept: [{ 'src/crew/parse.ts': `import type { Crew } from './crew.ts'; const lazy = await import('./crew.ts');` }],
  },
  'nothing is left undone in a comment': {
    rule: noLeftovers,
    folders: ['src'],
    broken: [{ 'src/crew/parse.ts': '// TODO: the other dialect' }],
    kept: [{ 'src/crew/parse.ts': '// What to do about the other dialect' }],
  },
  'all tests run, against the real thing': {
    rule: honestTests,
    folders: ['test'],
    broken: [
      { 'test/core/claim.test.ts': `it.skipIf(true)('claims', () => {});` },
      { 'test/core/claim.test.ts': `test.concurrent.todo('claims');` },
      { 'test/core/claim.test.ts': `it.fails('claims', () => {});` },
      { 'test/core/claim.test.ts': `vi.mock('../../src/core/claim.ts');` },
      { 'test/core/claim.test.ts': 'vi.useFakeTimers();' },
    ],
    kept: [{ 'test/core/claim.test.ts': `it.each([1])('claims', () => {}); // no it.todo` }],
  },
};
