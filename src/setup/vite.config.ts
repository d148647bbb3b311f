// Bundles production's programs into dist/. Some four hundred modules load in less than half the time from a few files.
import { defineConfig, type Plugin } from 'vite';

// pino starts its transports from files of its own; yaml is loaded only where there is a crews file.
const LEFT_OUT = ['pino', 'yaml'];

// Bolt has them for receivers and installations that the bot doesn't have, and would load them with each start. The bot itself
// loads the client of Socket Mode where it needs it.
const UNUSED_BY_BOLT = ['express', '@slack/oauth', '@slack/socket-mode'];
const NOTHING = '\0nothing.cjs';

export const withoutUnused: Plugin = {
  name: 'without-what-bolt-leaves-unused',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    UNUSED_BY_BOLT.includes(source) && importer.includes('/node_modules/@slack/bolt/') ? NOTHING : null,
  load: (id) => (id === NOTHING ? 'module.exports = {};' : null),
};

export default defineConfig({
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
      input: {
        main: 'src/main.ts',
        webhook: 'src/tools/webhook/main.ts',
        audit: 'src/tools/audit/main.ts',
        report: 'src/tools/report/main.ts',
        policy: 'src/tools/policy/main.ts',
        doctor: 'src/tools/doctor/main.ts',
        mcp: 'src/tools/mcp/main.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
});
