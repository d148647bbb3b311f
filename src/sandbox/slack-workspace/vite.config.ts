// Bundles the program and the library into dist/, with what they need beyond the package's dependencies.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const { dependencies } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

export default defineConfig({
  envDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: Object.keys(dependencies) },
  build: {
    ssr: true,
    target: 'node20',
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // `ws` is faster with the two, and does without.
      external: ['bufferutil', 'utf-8-validate'],
      input: { 'slack-workspace': 'slack-workspace.ts', main: 'main.ts', redirect: 'redirect.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
