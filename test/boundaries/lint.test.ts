import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const BIOME = join(CHECKOUT, 'node_modules/@biomejs/biome/bin/biome');

/** Without its rule, each of these would pass. */
const BROKEN = [
  ['noBarrelFile', 'src/core/all.ts', `export { claim } from './claim.ts';\n`],
  ['noReExportAll', 'src/core/every.ts', `export * from './claim.ts';\n`],
  ['noDefaultExport', 'src/core/decide.ts', 'export default function decide() {}\n'],
  ['noDefaultExport', 'src/core/renamed.ts', 'const decide = 1;\nexport { decide as default };\n'],
  ['useFilenamingConvention', 'src/crew/crewClient.ts', 'export const client = 1;\n'],
  ['useNamingConvention', 'src/crew/parse.ts', 'export const execution_id = 1;\n'],
  ['noProcessEnv', 'src/config/config.ts', 'export const port = process.env.PORT;\n'],
  ['noProcessEnv', 'src/config/quoted.ts', `export const port = process['env'].PORT;\n`],
  ['noProcessEnv', 'src/sandbox/crew-service/server.ts', 'export const port = globalThis.process.env.PORT;\n'],
  [
    'noRestrictedImports',
    'src/config/env.ts',
    `import { env } from 'node:process';\n\nexport const port = env.PORT;\n`,
  ],
  ['noConsole', 'src/worker/worker.ts', `console.log('started');\n`],
  ['noUndeclaredDependencies', 'src/crew/client.ts', `import express from 'express';\n\nexpress();\n`],
  ['noUndeclaredDependencies', 'src/crew/socket.ts', `import { WebSocket } from 'ws';\n\nnew WebSocket('');\n`],
  ['noUndeclaredDependencies', 'src/sandbox/demo/app.ts', `import express from 'express';\n\nexpress();\n`],
  ['noFocusedTests', 'test/core/focused.test.ts', `it.only('claims', () => {});\n`],
  ['noSkippedTests', 'test/core/skipped.test.ts', `describe.skip('claims', () => {});\n`],
  ['noSkippedTests', 'test/core/concurrent.test.ts', `test.concurrent.skip('claims', () => {});\n`],
  ['noExportsInTest', 'test/core/exports.test.ts', `it('claims', () => {});\nexport const now = 1;\n`],
  ['noTsIgnore', 'src/core/ignore.ts', '// @ts-ignore it works\nexport const id: string = 1;\n'],
  ['noExplicitAny', 'src/core/any.ts', 'export const id: any = 1;\n'],
  ['noExplicitAny', 'src/sandbox/slack-workspace/page/any.tsx', 'export const id: any = 1;\n'],
  ['noExplicitAny', 'test/core/any.test.ts', 'export const id: any = 1;\n'],
  ['noExplicitAny', 'test/support/any-helper.ts', 'export const id: any = 1;\n'],
  ['noNonNullAssertion', 'src/core/sure.ts', 'export const first = (ids: string[]) => ids[0]!;\n'],
  ['noImportCycles', 'src/core/cycle.ts', `import { b } from './cycle-back.ts';\n\nexport const a = () => b;\n`],
  ['noImportCycles', 'src/core/cycle-back.ts', `import { a } from './cycle.ts';\n\nexport const b = () => a;\n`],
  ['noImportCycles', 'src/core/type.ts', `import type { Back } from './type-back.ts';\n\nexport type Type = Back[];\n`],
  ['noImportCycles', 'src/core/type-back.ts', `import type { Type } from './type.ts';\n\nexport type Back = Type[];\n`],
] as const;

const KEPT = [
  ['src/core/claim.ts', `export type { Approval } from './approval.ts';\n\nexport const claim = () => 'claimed';\n`],
  ['src/core/approval.ts', `import { MINUTE_MS } from './time.ts';\n\nexport const LEASE_MS = 2 * MINUTE_MS;\n`],
  ['src/core/time.ts', 'export const MINUTE_MS = 60_000;\n'],
  ['src/main.ts', `import { pid } from 'node:process';\n\nconsole.log(pid, process.env.PORT);\n`],
  ['src/doctor/main.ts', 'console.log(process.env.PORT);\n'],
  ['src/sandbox/demo/main.ts', `import { WebSocket } from 'ws';\n\nnew WebSocket(process.env.URL ?? '');\n`],
  ['src/sandbox/crew-service/dialect.ts', 'export const execution_id = 1;\n'],
  ['src/crew/socket-type.ts', `import type { WebSocket } from 'ws';\n\nexport type Socket = WebSocket[];\n`],
  ['test/vitest.config.ts', 'export default {};\n'],
  ['test/core/claim.test.ts', `it.each([1])('claims', () => {}); // no it.skip\n`],
] as const;

let folder: string;
/** As `rule path`. */
let found: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-lint-'));
  await cp(join(CHECKOUT, '.biome.json'), join(folder, '.biome.json'));
  const manifest = { dependencies: { zod: '4.6.7' }, devDependencies: { ws: '8.23.0' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const [path, text] of [...BROKEN.map(([, path, text]) => [path, text] as const), ...KEPT]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  found = await lint();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** One process for all examples: it takes longer to start than to lint them. */
function lint(): Promise<string[]> {
  // The folder is no Git repository, which Biome would look for.
  const args = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none'];
  return new Promise((resolve) => {
    execFile(process.execPath, [BIOME, ...args], { cwd: folder }, (_error, stdout) => {
      const { diagnostics }: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(stdout);
      resolve(diagnostics.map(({ category, location }) => `${category.split('/').at(-1)} ${location.path}`));
    });
  });
}

it.each(BROKEN)('reports %s in %s', (rule, path) => {
  expect(found).toContain(`${rule} ${path}`);
});

it.each(KEPT)('accepts %s', (path) => {
  expect(found.filter((diagnostic) => diagnostic.endsWith(` ${path}`))).toEqual([]);
});
