import { fileURLToPath } from 'node:url';

/** The folder of the built page, for `pageDir`. The package brings it; from its sources, it is built when one has changed. */
export async function pageFolder(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('./page/', import.meta.url));
  const { buildPage } = await import('./build-page.ts');
  return buildPage();
}
