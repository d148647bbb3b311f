import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('./page/', import.meta.url));
const WORKSPACE = fileURLToPath(new URL('./', import.meta.url));
const DAY_MS = 86_400_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Builds the workspace's web page and returns the folder with its `index.html`. Folders are named by a hash of the
 * sources, so an up-to-date build is reused and concurrent builds don't interfere. Rejects with Vite's error if the
 * build fails.
 */
export async function buildPage(): Promise<string> {
  const builds = join(ROOT, '.cache', 'page');
  const built = join(builds, await sourceHash());
  if (existsSync(join(built, 'index.html'))) return built;
  const temporary = `${built}.${randomUUID()}`;
  await build(temporary);
  await rename(temporary, built).catch(async (error: unknown) => {
    // Another process finished the same build first.
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(join(built, 'index.html'))) throw error;
  });
  await removeOldBuilds(builds, built);
  return built;
}

async function build(outDir: string): Promise<void> {
  // Loaded lazily: it is a development dependency, needed only for a build.
  const vite = await import('vite');
  await vite.build({ root: PAGE, configFile: join(PAGE, 'vite.config.ts'), build: { outDir } });
}

/** The page shares rules about blocks and inputs with the workspace. */
async function sourceHash(): Promise<string> {
  const names = await readdir(WORKSPACE, { recursive: true });
  const sources = names
    .filter((name) => !name.startsWith('dist') && /\.(tsx?|css|html|json)$/.test(name))
    .map((name) => join(WORKSPACE, name));
  const hash = createHash('sha256');
  const settings = [fileURLToPath(import.meta.url), join(ROOT, 'package-lock.json')];
  for (const path of [...sources.sort(), ...settings]) {
    hash.update(path).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Removes old builds after a day: another process may still be using a newer one. */
async function removeOldBuilds(builds: string, built: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const path = join(builds, name);
    // Another process may have removed it by now.
    const builtAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (path !== built && Date.now() - builtAt > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}
