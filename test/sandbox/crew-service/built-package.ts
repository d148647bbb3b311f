import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { CACHE } from '../../../src/setup/commands.mjs';

const PACKAGE = fileURLToPath(new URL('../../../src/sandbox/crew-service/', import.meta.url));

let builtFolder: Promise<string> | undefined;

/**
 * The folder with the programs of the package, as they are published. Processes start from them in half the processor time
 * that they take from the sources. An earlier build of the same sources is used again.
 */
export function builtPackage(): Promise<string> {
  builtFolder ??= ensureBuilt();
  return builtFolder;
}

/** `startCrewService` and all else of `@signoff/crew-service/service`. */
export async function builtService(): Promise<typeof import('../../../src/sandbox/crew-service/service.ts')> {
  return import(/* @vite-ignore */ pathToFileURL(join(await builtPackage(), 'service.js')).href);
}

async function ensureBuilt(): Promise<string> {
  const sources = (await readdir(PACKAGE, { recursive: true }))
    .filter((name) => /\.(?:ts|mjs|json)$/.test(name) && !name.startsWith('dist'))
    .sort();
  const hash = createHash('sha256');
  for (const name of sources) hash.update(name).update(await readFile(join(PACKAGE, name)));
  // Among the packages of this checkout, of which it imports pino.
  const folder = join(CACHE, `crew-service-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const outDir = `${folder}.${randomUUID()}`;
  await build({ root: PACKAGE, configFile: join(PACKAGE, 'vite.config.ts'), build: { outDir } });
  await rename(outDir, folder).catch(async (error: unknown) => {
    // Another process was faster.
    await rm(outDir, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
