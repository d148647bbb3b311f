import { type Import, isNode, memberOf, nameOf, nodesOf, type SourceFile, type SyntaxNode } from './source-files.ts';

/** What is wrong with one file, each in a sentence; nothing when it keeps the rule. */
export type Rule = (file: SourceFile) => string[];

/** The parts of the source, as the layout of the project names them. */
export type Layer =
  | 'core'
  | 'crew'
  | 'slack'
  | 'redis'
  | 'config'
  | 'http'
  | 'worker'
  | 'metrics'
  | 'doctor'
  | 'app'
  | 'entry'
  | 'sandbox'
  | 'setup';

const FOLDERS: Record<string, Layer> = {
  core: 'core',
  crew: 'crew',
  slack: 'slack',
  redis: 'redis',
  config: 'config',
  http: 'http',
  metrics: 'metrics',
  doctor: 'doctor',
  worker: 'worker',
  sandbox: 'sandbox',
  setup: 'setup',
  app: 'app',
};

const ROOT_FILES: Record<string, Layer> = {
  'main.ts': 'entry',
  'logging.ts': 'entry',
  'webhook.ts': 'entry',
};

/** Never sideways, never up; the sandbox and production are strangers, so that it is an honest counterpart. */
const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  core: ['core'],
  crew: ['crew', 'core'],
  slack: ['slack', 'core'],
  redis: ['redis', 'core'],
  config: ['config', 'crew', 'slack', 'redis', 'core'],
  http: ['http', 'crew', 'slack', 'redis', 'core'],
  worker: ['worker', 'crew', 'slack', 'redis', 'core'],
  metrics: ['metrics', 'crew', 'slack', 'redis', 'core'],
  doctor: ['doctor', 'config', 'crew', 'slack', 'redis', 'core'],
  app: ['app', 'config', 'http', 'worker', 'metrics', 'doctor', 'crew', 'slack', 'redis', 'core'],
  entry: ['entry', 'app', 'config', 'http', 'worker', 'metrics', 'doctor', 'crew', 'slack', 'redis', 'core'],
  sandbox: ['sandbox', 'setup'],
  setup: ['setup'],
};

/** @returns undefined for a path that the layout doesn't know */
export function layerOf(path: string): Layer | undefined {
  const [top, first = '', ...rest] = path.split('/');
  if (top !== 'src') return undefined;
  return rest.length === 0 ? ROOT_FILES[first] : FOLDERS[first];
}

/** Every source file has its place in the layout. */
export const layout: Rule = ({ path }) => (layerOf(path) === undefined ? ['has no place in the layout of src/'] : []);

/** `main → doors and workers → slack | crew | redis → core`. */
export const direction: Rule = ({ path, imports }) => {
  const layer = layerOf(path);
  if (layer === undefined) return [];
  return imports
    .filter(({ kind }) => kind === 'file')
    .filter(({ target }) => !MAY_IMPORT[layer].some((allowed) => allowed === layerOf(target)))
    .map(({ target }) => `${layer} must not import ${target}`);
};

/** What an approval is depends on no package and no platform. */
export const coreAlone: Rule = ({ path, imports }) =>
  layerOf(path) === 'core'
    ? imports.filter(({ kind }) => kind !== 'file').map(({ target }) => `core must not import ${target}`)
    : [];

// Reached without an import. `new Date(instant)` is a value like any other.
const AMBIENT = new Set([
  ...['Date.now', 'Math.random', 'performance', 'process', 'console', 'crypto', 'globalThis', 'fetch'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
]);

/** Transitions are run again on a conflict: purity is a correctness condition. */
export const corePure: Rule = ({ path, nodes }) => {
  if (layerOf(path) !== 'core') return [];
  const reached = nodes.flatMap((node) => {
    if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date' && nodesOf(node.arguments).length === 0) {
      return ['new Date()'];
    }
    const callee = node.type === 'CallExpression' ? nameOf(node.callee) : undefined;
    const { object, property } = memberOf(node);
    return [callee, object, `${object}.${property}`].filter((name) => name !== undefined && AMBIENT.has(name));
  });
  return reached.map((name) => `core must not use ${name}`);
};

// The launcher and provisioning run before there is a bot, and find programs by PATH.
const isEntry = (path: string) =>
  layerOf(path) === 'entry' || layerOf(path) === 'setup' || /^src\/(doctor|sandbox\/[a-z-]+)\/main\.ts$/.test(path);

const OF_THE_PROCESS = ['env', 'exit', 'exitCode', 'abort'];

/** Settings come in as arguments, and nobody but an entry point ends the process. */
export const environment: Rule = ({ path, nodes, imports }) => {
  if (isEntry(path)) return [];
  const reads = nodes.flatMap(processPropertiesOf).filter((name) => OF_THE_PROCESS.includes(name));
  const imported = imports.some(({ target, typeOnly }) => /^(node:)?process$/.test(target) && !typeOnly);
  return [
    ...reads.map((name) => `only an entry point uses process.${name}`),
    ...(imported ? ['only an entry point imports node:process'] : []),
  ];
};

function processPropertiesOf(node: SyntaxNode): string[] {
  const { object, property } = memberOf(node);
  if (object === 'process' && property !== undefined) return [property];
  if (node.type !== 'VariableDeclarator' || nameOf(node.init) !== 'process' || !isNode(node.id)) return [];
  return nodesOf(node.id.properties).flatMap((taken) => nameOf(taken.key) ?? []);
}

/** Production runs where only `dependencies` are installed; types are gone by then. */
export function installedPackages(production: readonly string[], development: readonly string[]): Rule {
  return ({ path, imports }) => {
    const layer = layerOf(path);
    const inProduction = layer !== 'sandbox' && layer !== 'setup';
    const installed = inProduction ? production : [...production, ...development];
    return imports
      .filter(({ kind, typeOnly }) => kind === 'package' && !(inProduction && typeOnly))
      .map(packageName)
      .filter((name) => !installed.includes(name))
      .map((name) => `${name} is not among the ${inProduction ? 'dependencies' : 'packages'} of package.json`);
  };
}

function packageName({ target }: Import): string {
  const [scope = '', name = ''] = target.split('/');
  return target.startsWith('@') ? `${scope}/${name}` : scope;
}
