import type { SourceFile } from '../support/source-files.ts';
import { forEachFile, type TestedRule } from './rule.ts';

/** The top folders of src/; `entry` are the files beside them. */
type Layer =
  | 'core'
  | 'crew'
  | 'slack'
  | 'redis'
  | 'ledger'
  | 'config'
  | 'http'
  | 'worker'
  | 'metrics'
  | 'doctor'
  | 'app'
  | 'entry'
  | 'sandbox'
  | 'setup';

/** Never sideways, never up. The sandbox shares nothing with production, so that it is an independent counterpart. */
const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  core: [],
  crew: ['core'],
  slack: ['core'],
  redis: ['core'],
  ledger: ['crew', 'redis', 'core'],
  worker: ['core'],
  config: ['redis', 'core'],
  http: ['crew', 'core'],
  metrics: ['crew', 'slack', 'redis', 'core'],
  doctor: ['config', 'crew', 'slack', 'redis', 'core'],
  app: ['config', 'http', 'worker', 'metrics', 'ledger', 'crew', 'slack', 'redis', 'core'],
  entry: ['app', 'doctor', 'config', 'ledger', 'crew', 'core'],
  sandbox: ['setup'],
  setup: [],
};

const ENTRY_FILES = ['main.ts', 'webhook.ts', 'audit.ts', 'policy.ts', 'logging.ts'];

/** It says which version the programs have. */
const MANIFEST = 'package.json';

const isFolder = (name: string): name is Exclude<Layer, 'entry'> => name !== 'entry' && Object.hasOwn(MAY_IMPORT, name);

/** @returns undefined for a path that has no place in the layout */
export function layerOf(path: string): Layer | undefined {
  const [top, first = '', ...rest] = path.split('/');
  if (top !== 'src') return undefined;
  if (rest.length === 0) return ENTRY_FILES.includes(first) ? 'entry' : undefined;
  return isFolder(first) ? first : undefined;
}

/**
 * The order within a folder: each part may import itself and the parts before it. A part is a folder or a file without
 * its extension; parts that aren't named come last, on one level, or first for `others: 'first'`.
 */
const ORDER: Partial<Record<Layer, { parts: readonly string[]; others: 'first' | 'last' | 'none' }>> = {
  slack: {
    parts: [
      'language',
      'ui',
      'api',
      'directory',
      'inbox',
      'interaction',
      'reading',
      'compare',
      'tokens',
      'edit',
      'approval',
      'run',
      'kickoff',
      'settings',
      'home',
      'digest',
      'review',
      'thread',
      'receivers',
      'listeners',
      'middleware',
      'app',
    ],
    others: 'none',
  },
  crew: { parts: ['payload', 'client', 'webhooks'], others: 'first' },
  redis: { parts: ['keys', 'parse-json', 'connection', 'local', 'ledger', 'executions'], others: 'last' },
  sandbox: { parts: ['crew-service', 'slack-workspace', 'demo'], others: 'none' },
};

/** @returns undefined where the folder has no order, or no such part */
function rankOf(path: string): number | undefined {
  const layer = layerOf(path);
  const order = layer === undefined ? undefined : ORDER[layer];
  if (order === undefined) return undefined;
  const part = path.split('/')[2]?.replace(/\.[a-z]+$/, '') ?? '';
  const rank = order.parts.indexOf(part);
  if (rank !== -1) return rank;
  return { first: -1, last: order.parts.length, none: undefined }[order.others];
}

function placeOf({ path }: SourceFile): string[] {
  const layer = layerOf(path);
  const isPlaced = layer !== undefined && (ORDER[layer] === undefined || rankOf(path) !== undefined);
  return isPlaced ? [] : ['has no place in the layout of src/'];
}

function wrongImports({ path, imports }: SourceFile): string[] {
  const layer = layerOf(path);
  if (layer === undefined) return [];
  return imports
    .filter(({ kind }) => kind === 'file')
    .filter(({ target }) => {
      const other = layerOf(target);
      if (layer === 'entry' && target === MANIFEST) return false;
      return other !== layer && !MAY_IMPORT[layer].some((allowed) => allowed === other);
    })
    .map(({ target }) => `${layer} must not import ${target}`);
}

function importsOfLaterParts({ path, imports }: SourceFile): string[] {
  const rank = rankOf(path);
  if (rank === undefined) return [];
  return imports
    .filter(({ kind, target }) => kind === 'file' && layerOf(target) === layerOf(path))
    .filter(({ target }) => (rankOf(target) ?? rank) > rank)
    .map(({ target }) => `must not import ${target}, which comes after it`);
}

export const LAYER_RULES: Record<string, TestedRule> = {
  'every source file has a place in the layout': {
    rule: forEachFile(placeOf),
    folders: ['src'],
    broken: [
      { 'src/robot.ts': '' },
      { 'src/lib/approval.ts': '' },
      { 'src/slack/card.ts': '' },
      { 'src/slack/x/y.ts': '' },
    ],
    kept: [{ 'src/main.ts': '' }, { 'src/core/approval/approval.ts': '' }, { 'src/crew/addresses.ts': '' }],
  },
  'imports point from main over app to worker, slack, crew and redis, and on to core': {
    rule: forEachFile(wrongImports),
    folders: ['src'],
    broken: [
      { 'src/core/approval.ts': `import { createStore } from '../redis/store.ts';` },
      { 'src/core/approval.ts': `type Store = import('../redis/store.ts').Store;` },
      { 'src/crew/client.ts': `import type { ThreadPort } from '../slack/thread/thread.ts';` },
      { 'src/slack/ui/blocks.ts': `export { store } from '../../redis/store.ts';` },
      { 'src/redis/store.ts': `const { client } = await import('../crew/client.ts');` },
      { 'src/slack/run/task.ts': `import { config } from '../../config/config.ts';` },
      { 'src/http/server.ts': `import { work } from '../worker/worker.ts';` },
      { 'src/worker/worker.ts': `import { createStore } from '../redis/store.ts';` },
      { 'src/app/bot.ts': `export * from '../main.ts';` },
      { 'src/app/bot.ts': `import manifest from '../../package.json' with { type: 'json' };` },
    ],
    kept: [
      { 'src/main.ts': `import manifest from '../package.json' with { type: 'json' };` },
      { 'src/main.ts': `import { startBot } from './app/bot.ts'; import { createLog } from './logging.ts';` },
      { 'src/app/bot.ts': `import { store } from '../redis/store.ts'; import { work } from '../worker/worker.ts';` },
      { 'src/worker/worker.ts': `import { dueAt } from '../core/due-actions.ts'; import { lanes } from './lanes.ts';` },
    ],
  },
  'production and the sandbox share nothing': {
    rule: forEachFile(wrongImports),
    folders: ['src'],
    broken: [
      { 'src/main.ts': `import { workspace } from './sandbox/slack-workspace/workspace.ts';` },
      { 'src/slack/api/app.ts': `import { workspace } from '../../sandbox/slack-workspace/workspace.ts';` },
      { 'src/config/config.ts': `import { run } from '../setup/commands.mjs';` },
      { 'src/sandbox/demo/main.ts': `import '../../main.ts';` },
      { 'src/sandbox/crew-service/server.ts': `import type { Approval } from '../../core/approval.ts';` },
      { 'src/setup/cli.mjs': `await import('../main.ts');` },
      { 'src/sandbox/demo/main.ts': `import { startRedis } from '../../../test/support/redis.ts';` },
    ],
    kept: [{ 'src/sandbox/demo/main.ts': `import { startRedisProcess } from '../../setup/redis-process.ts';` }],
  },
  'within slack, crew, redis and the sandbox imports point to what comes before': {
    rule: forEachFile(importsOfLaterParts),
    folders: ['src'],
    broken: [
      { 'src/slack/ui/blocks.ts': `import { users } from '../api/users.ts';` },
      { 'src/slack/approval/card.ts': `import type { RunState } from '../run/state.ts';` },
      { 'src/slack/kickoff/form.ts': `import { post } from '../thread/post.ts';` },
      { 'src/crew/addresses.ts': `import { fields } from './payload/fields.ts';` },
      { 'src/crew/client/client.ts': `import { routes } from '../webhooks/routes.ts';` },
      { 'src/redis/keys.ts': `import { connect } from './connection/connect.ts';` },
      { 'src/redis/connection/connect.ts': `import { createStore } from '../executions/store.ts';` },
      { 'src/redis/executions/store.ts': `import { queue } from '../due-queue.ts';` },
      { 'src/sandbox/crew-service/server.ts': `import { crews } from '../demo/crews.ts';` },
    ],
    kept: [
      { 'src/slack/listeners.ts': `import { onApprove } from './approval/handlers.ts';` },
      { 'src/slack/ui/modal.ts': `import { cut } from './text/cut.ts'; import { seconds } from '../../core/time.ts';` },
      {
        'src/crew/webhooks/routes.ts': `import { parse } from '../payload/fields.ts'; import { refs } from '../refs.ts';`,
      },
      { 'src/redis/counts.ts': `import { scripts } from './executions/scripts.ts'; import { keys } from './keys.ts';` },
    ],
  },
};
