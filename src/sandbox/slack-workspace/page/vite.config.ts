import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  logLevel: 'warn',
  plugins: [react()],
  // Vite follows NODE_ENV, so a build started by a test runner would use React's slow development build.
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: { conditions: ['module', 'browser', 'production'] },
  oxc: { jsx: { development: false } },
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
});
