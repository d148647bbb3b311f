// Bundles production's programs into dist/. Some four hundred modules load in less than half the time from a few files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { CHECKOUT } from './commands.mjs';

// pino starts its transports from files of its own; yaml is loaded only where there is a crews file.
const LEFT_OUT = ['pino', 'yaml'];

// Bolt has them for receivers and installations that the bot doesn't have, and would load them with each start. The bot itself
// loads the client of Socket Mode where it needs it.
const UNUSED_BY_BOLT = ['express', '@slack/oauth', '@slack/socket-mode'];
const NOTHING = join(CHECKOUT, 'src/setup/nothing.cjs');

/** @type {import('vite').Plugin} */
const withoutUnused = {
  name: 'without-what-bolt-leaves-unused',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    UNUSED_BY_BOLT.includes(source) && importer.includes('/node_modules/@slack/bolt/') ? NOTHING : null,
};

/** @type {{ files: string[] }} */
const { files } = JSON.parse(readFileSync(join(CHECKOUT, 'src/tsconfig.json'), 'utf8'));
const programs = Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(CHECKOUT, 'src', file)]));

await build({
  root: CHECKOUT,
  configFile: false,
  envDir: false,
  logLevel: 'warn',
  plugins: [withoutUnused],
  ssr: { noExternal: true, external: LEFT_OUT },
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node20',
    sourcemap: true,
    rolldownOptions: {
      input: programs,
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
});
