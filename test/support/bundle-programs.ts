import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureSandboxBuilt } from '../../src/setup/checkout.mjs';
import { CACHE, CHECKOUT } from '../../src/setup/commands.mjs';
import { withoutUnused } from '../../src/setup/vite.config.ts';
import { PROGRAMS } from './program-path.ts';

/** What tests start is up to date with the sources. */
export async function setup(): Promise<void> {
  // Nothing else ends these tests, and a busy machine must not reach the limit.
  process.env.SLACK_WORKSPACE_WAIT_MS ??= '60000';
  await ensureSandboxBuilt();
  await bundlePrograms(PROGRAMS);
}

/**
 * Bundles the programs that tests start in processes of their own: a run of all tests starts more than a hundred bots,
 * and a bundle loads in a third of the CPU time that the modules take. What production leaves out is left out here, too.
 * @param programs their entry points by name
 */
export async function bundlePrograms(programs: Record<string, string>): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'programs-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // As in a checkout, beside dist/.
  for (const file of ['manifest.yml', '.env.example']) await copyFile(join(CHECKOUT, file), join(folder, file));
  const outDir = join(folder, 'dist');
  const output = { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' };
  await build({
    root: CHECKOUT,
    configFile: false,
    logLevel: 'error',
    plugins: [withoutUnused],
    ssr: { noExternal: true },
    build: { ssr: true, outDir, target: 'node20', rolldownOptions: { input: programs, output } },
  });
  process.env.TEST_PROGRAMS = outDir;
}
