import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('./page/', import.meta.url));
const DAY_MS = 86_400_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Builds the workspace's web page and returns the folder with its `index.html`. A folder is named by the hash of what
 * it was built from, so a build that is up to date is not repeated, and processes that build at once don't disturb
 * each other. Rejects with Vite's error where the page doesn't build.
 */
export async function buildPage(): Promise<string> {
  const builds = join(ROOT, '.cache', 'page');
  const built = join(builds, await sourceHash());
  if (existsSync(join(built, 'index.html'))) return built;
  const making = `${built}.${randomUUID()}`;
  await build(making);
  await rename(making, built).catch(async (error: unknown) => {
    // Somebody else was faster with the same build.
    await rm(making, { recursive: true, force: true });
    if (!existsSync(join(built, 'index.html'))) throw error;
  });
  await forgetOld(builds, built);
  return built;
}

async function build(outDir: string): Promise<void> {
  // Loaded only where there is something to build: both are development dependencies.
  const [vite, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await vite.build({
    configFile: false,
    root: PAGE,
    logLevel: 'warn',
    plugins: [react()],
    // Vite follows NODE_ENV, and under a test runner that would give React's slow development build to everybody.
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['module', 'browser', 'production'] },
    oxc: { jsx: { development: false } },
    build: { outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
}

async function sourceHash(): Promise<string> {
  const names = await readdir(PAGE, { recursive: true });
  const sources = names.filter((name) => /\.(tsx?|css|html|json)$/.test(name)).map((name) => join(PAGE, name));
  const hash = createHash('sha256');
  const settings = [fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json')];
  for (const path of [...sources.sort(), ...settings]) {
    hash.update(path).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds of other sources go after a day: another process may have just been given one. */
async function forgetOld(builds: string, built: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const path = join(builds, name);
    // One that is gone by now was removed by somebody else.
    const builtAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (path !== built && Date.now() - builtAt > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}
