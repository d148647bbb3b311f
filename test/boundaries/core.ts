import { memberOf, nameOf, nodesOf } from '../support/source-files.ts';
import { layerOf } from './layers.ts';
import { forEachFile, type TestedRule } from './rule.ts';

/** Hashing is pure, and a ledger needs it. */
const mayImport = (path: string, target: string) => path === 'src/core/ledger/sha256.ts' && target === 'node:crypto';

const importsOnlyItself = forEachFile(({ path, imports }) =>
  layerOf(path) === 'core'
    ? imports
        .filter(({ kind, target }) => kind !== 'file' && !mayImport(path, target))
        .map(({ target }) => `core must not import ${target}`)
    : [],
);

// Available without an import. `new Date(instant)` is a value like any other.
const AMBIENT = new Set([
  ...['Date.now', 'Math.random', 'performance', 'process', 'console', 'crypto', 'globalThis', 'fetch'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
]);

/** A transition runs again on a conflict, so purity is a correctness condition. */
const isPure = forEachFile(({ path, nodes }) => {
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
});

export const CORE_RULES: Record<string, TestedRule> = {
  'core imports no package and nothing of the platform': {
    rule: importsOnlyItself,
    folders: ['src'],
    broken: [
      { 'src/core/approval.ts': `import { z } from 'zod';` },
      { 'src/core/approval.ts': `import type { KnownBlock } from '@slack/types';` },
      { 'src/core/approval.ts': `import { createHash } from 'node:crypto';` },
      { 'src/core/ledger/sha256.ts': `import { readFileSync } from 'node:fs';` },
    ],
    kept: [
      { 'src/crew/parse.ts': `import { z } from 'zod';` },
      { 'src/core/ledger/sha256.ts': `import { createHash } from 'node:crypto';` },
    ],
  },
  'core has no clock, no randomness and no I/O': {
    rule: isPure,
    folders: ['src'],
    broken: [
      { 'src/core/time.ts': 'const now = Date.now();' },
      { 'src/core/time.ts': 'const now = new Date();' },
      { 'src/core/ref.ts': 'const ref = Math.random();' },
      { 'src/core/ref.ts': 'const ref = globalThis.crypto.randomUUID();' },
      { 'src/core/due-at.ts': 'setTimeout(() => {}, 10);' },
      { 'src/core/kickoff.ts': `await fetch('http://127.0.0.1/');` },
      { 'src/core/kickoff.ts': `console.log('started');` },
    ],
    kept: [
      { 'src/core/time.ts': '/** Date.now() */ const day = (at: number) => new Date(at).toISOString();' },
      { 'src/worker/worker.ts': 'const now = Date.now();' },
    ],
  },
};
