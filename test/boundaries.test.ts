import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { honestTests, honestTypes, namedExports, names, noBarrels, noLeftovers } from './support/code-rules.ts';
import {
  coreAlone,
  corePure,
  direction,
  environment,
  installedPackages,
  layout,
  type Rule,
} from './support/layout-rules.ts';
import { parseSource, type SourceFile, sourceFilesIn } from './support/source-files.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('..', import.meta.url)));
const { dependencies, devDependencies } = JSON.parse(readFileSync(resolve(CHECKOUT, 'package.json'), 'utf8'));

const source = sourceFilesIn(CHECKOUT, 'src');
const tests = sourceFilesIn(CHECKOUT, 'test');

/** A made-up file: its path and what stands in it. */
type Example = readonly [path: string, text: string];

type Held = {
  rule: Rule;
  /** The rule for the made-up files, where it has to know other facts about them. */
  ruleOfExamples?: Rule;
  files: readonly SourceFile[];
  /** Each of them has to be found, or the rule could never fail. */
  broken: readonly Example[];
  kept?: readonly Example[];
};

const RULES: Record<string, Held> = {
  'every source file has its place in the layout': {
    rule: layout,
    files: source,
    broken: [
      ['src/robot.ts', ''],
      ['src/lib/approval.ts', ''],
    ],
    kept: [
      ['src/main.ts', ''],
      ['src/core/approval/approval.ts', ''],
    ],
  },
  'imports point from main over doors and workers to slack, crew and redis, and to core': {
    rule: direction,
    files: source,
    broken: [
      ['src/core/approval.ts', `import { createStore } from '../redis/store.ts';`],
      ['src/core/approval.ts', `type Store = import('../redis/store.ts').Store;`],
      ['src/crew/client.ts', `import type { Board } from '../slack/board.ts';`],
      ['src/slack/app.ts', `export { store } from '../redis/store.ts';`],
      ['src/redis/store.ts', `const { client } = await import('../crew/client.ts');`],
      ['src/slack/views/card.ts', `import { config } from '../../config/config.ts';`],
      ['src/http/server.ts', `import { work } from '../worker/worker.ts';`],
      ['src/worker/worker.ts', `export * from '../main.ts';`],
    ],
    kept: [
      ['src/main.ts', `import { work } from './worker/worker.ts'; import { store } from './redis/store.ts';`],
      [
        'src/worker/worker.ts',
        `import { dueAt } from '../core/due-at.ts'; import { thread } from '../slack/thread.ts';`,
      ],
      [
        'src/slack/views/card.ts',
        `import { pending } from '../../core/approval.ts'; import { text } from '../text.ts';`,
      ],
    ],
  },
  'production and the sandbox are strangers': {
    rule: direction,
    files: source,
    broken: [
      ['src/main.ts', `import { workspace } from './sandbox/slack-workspace/workspace.ts';`],
      ['src/slack/app.ts', `import { workspace } from '../sandbox/slack-workspace/workspace.ts';`],
      ['src/config/config.ts', `import { run } from '../setup/commands.mjs';`],
      ['src/sandbox/demo/main.ts', `import '../../main.ts';`],
      ['src/sandbox/crew-service/server.ts', `import type { Approval } from '../../core/approval.ts';`],
      ['src/setup/cli.mjs', `await import('../main.ts');`],
      ['src/sandbox/demo/main.ts', `import { startRedis } from '../../../test/support/redis.ts';`],
    ],
    kept: [['src/sandbox/demo/main.ts', `import { startRedisProcess } from '../../setup/redis-process.ts';`]],
  },
  'core imports no package and nothing of the platform': {
    rule: coreAlone,
    files: source,
    broken: [
      ['src/core/approval.ts', `import { z } from 'zod';`],
      ['src/core/approval.ts', `import type { KnownBlock } from '@slack/types';`],
      ['src/core/approval.ts', `import { createHash } from 'node:crypto';`],
    ],
    kept: [['src/crew/parse.ts', `import { z } from 'zod';`]],
  },
  'core has no clock, no chance and no outside world': {
    rule: corePure,
    files: source,
    broken: [
      ['src/core/time.ts', 'const now = Date.now();'],
      ['src/core/time.ts', 'const now = new Date();'],
      ['src/core/ref.ts', 'const ref = Math.random();'],
      ['src/core/ref.ts', 'const ref = globalThis.crypto.randomUUID();'],
      ['src/core/due-at.ts', 'setTimeout(() => {}, 10);'],
      ['src/core/kickoff.ts', `await fetch('http://127.0.0.1/');`],
      ['src/core/kickoff.ts', `console.log('started');`],
    ],
    kept: [
      ['src/core/time.ts', '/** Date.now() */ const day = (at: number) => new Date(at).toISOString();'],
      ['src/worker/worker.ts', 'const now = Date.now();'],
    ],
  },
  'only entry points read the environment or end the process': {
    rule: environment,
    files: source,
    broken: [
      ['src/config/config.ts', 'const port = process.env.PORT;'],
      ['src/config/config.ts', `const port = process['env'].PORT;`],
      ['src/config/config.ts', 'const { env } = process;'],
      ['src/config/config.ts', `import { env } from 'node:process';`],
      ['src/slack/app.ts', 'process.exit(1);'],
      ['src/worker/worker.ts', 'globalThis.process.exitCode = 1;'],
      ['src/sandbox/crew-service/server.ts', 'const port = process.env.PORT;'],
    ],
    kept: [
      ['src/main.ts', 'if (process.env.PORT === undefined) process.exit(1);'],
      ['src/sandbox/demo/main.ts', 'const { env } = process;'],
      ['src/sandbox/crew-service/main.ts', 'const port = process.env.PORT;'],
      ['src/worker/worker.ts', '// process.env is read in main.ts\nconst used = process.memoryUsage();'],
    ],
  },
  'each package that is imported is installed': {
    rule: installedPackages(Object.keys(dependencies), Object.keys(devDependencies)),
    ruleOfExamples: installedPackages(['@slack/bolt', 'zod'], ['ws']),
    files: source,
    broken: [
      ['src/slack/app.ts', `import express from 'express';`],
      ['src/slack/app.ts', `import { something } from '@slack/socket-mode/dist';`],
      ['src/main.ts', `import { WebSocketServer } from 'ws';`],
      ['src/sandbox/demo/main.ts', `import express from 'express';`],
    ],
    kept: [
      ['src/slack/app.ts', `import { App } from '@slack/bolt';`],
      ['src/crew/client.ts', `import type { Server } from 'ws'; import { z } from 'zod/mini';`],
      ['src/sandbox/demo/main.ts', `import { WebSocketServer } from 'ws';`],
    ],
  },
  'names say what a thing is': {
    rule: names,
    files: [...source, ...tests],
    broken: [
      ['src/slack/utils.ts', ''],
      ['src/slack/text-helpers.ts', ''],
      ['src/core/common/time.ts', ''],
      ['src/redis/connection-manager.ts', ''],
      ['src/crew/crew-service.ts', ''],
      ['src/crew/crewClient.ts', ''],
      ['src/Crew/client.ts', ''],
    ],
    kept: [
      ['src/sandbox/crew-service/server.ts', ''],
      ['test/end-to-end/restart.slow.test.ts', ''],
    ],
  },
  'who reads an import sees where the thing lives': {
    rule: noBarrels,
    files: [...source, ...tests],
    broken: [
      ['src/core/index.ts', 'export const answer = 42;'],
      ['src/core/all.ts', `export { claim } from './claim.ts'; export { decide } from './decide.ts';`],
      ['src/core/all.ts', `export * from './claim.ts'; export const answer = 42;`],
    ],
    kept: [['src/core/claim.ts', `export type { Approval } from './approval.ts'; export const claim = () => {};`]],
  },
  'exports have names': {
    rule: namedExports,
    files: [...source, ...tests],
    broken: [
      ['src/core/claim.ts', 'export default function claim() {}'],
      ['src/core/claim.ts', 'const claim = 1; export { claim as default };'],
    ],
    kept: [['test/vitest.config.ts', 'export default {};']],
  },
  'types are not talked away': {
    rule: honestTypes,
    files: source,
    broken: [
      ['src/crew/parse.ts', 'const id = body as unknown as string;'],
      ['src/crew/parse.ts', '// @ts-expect-error it works\nconst id: string = 1;'],
    ],
    kept: [['src/crew/parse.ts', 'const kind = body as const; const any = body as unknown;']],
  },
  'nothing is left undone in a comment': {
    rule: noLeftovers,
    files: source,
    broken: [['src/crew/parse.ts', '// TODO: the other dialect']],
    kept: [['src/crew/parse.ts', '// What is to be done about the other dialect']],
  },
  'tests run all, against the real thing': {
    rule: honestTests,
    files: tests,
    broken: [
      ['test/core/claim.test.ts', `it.only('claims', () => {});`],
      ['test/core/claim.test.ts', `describe.skip('claims', () => {});`],
      ['test/core/claim.test.ts', `test.concurrent.skip('claims', () => {});`],
      ['test/core/claim.test.ts', `it.skipIf(true)('claims', () => {});`],
      ['test/core/claim.test.ts', `vi.mock('../../src/core/claim.ts');`],
      ['test/core/claim.test.ts', 'vi.useFakeTimers();'],
    ],
    kept: [['test/core/claim.test.ts', `it.each([1])('claims', () => {}); // no it.skip`]],
  },
};

const violations = (rule: Rule, files: readonly SourceFile[]) =>
  files.flatMap((file) => rule(file).map((wrong) => `${file.path}: ${wrong}`));

describe.each(Object.entries(RULES))('%s', (_name, { rule, ruleOfExamples = rule, files, broken, kept = [] }) => {
  it('holds', () => {
    expect(violations(rule, files)).toEqual([]);
  });

  it.each(broken)('would be broken in %s by %s', (path, text) => {
    expect(ruleOfExamples(parseSource(path, text))).not.toEqual([]);
  });

  it.each(kept)('is kept in %s by %s', (path, text) => {
    expect(ruleOfExamples(parseSource(path, text))).toEqual([]);
  });
});
