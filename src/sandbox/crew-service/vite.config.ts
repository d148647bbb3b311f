// Bundles the programs and what crew files import into dist/, with the packages that they need. zod is a dependency for its
// types, too, but loads in a third of the time from here, and each run of a crew loads it.
import { defineConfig } from 'vite';

export default defineConfig({
  envDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['pino'] },
  build: {
    ssr: true,
    target: 'node20',
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Files that are loaded by their paths (places.ts, child/main.mjs) keep their names.
      input: {
        main: 'main.ts',
        crew: 'crew.ts',
        service: 'service.ts',
        'example-crews': 'crews/crews.ts',
        'child/main.mjs': 'crew-process/child/main.mjs',
        'child/typescript.mjs': 'crew-process/child/typescript.mjs',
        'child/watchdog.mjs': 'crew-process/child/watchdog.mjs',
      },
      output: {
        entryFileNames: ({ name }) => (name.endsWith('.mjs') ? name : `${name}.js`),
        chunkFileNames: '[name].js',
      },
    },
  },
});
