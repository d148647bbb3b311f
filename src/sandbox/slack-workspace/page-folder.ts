import { fileURLToPath } from 'node:url';

/** The folder of the built page, for `pageDir`. */
export function pageFolder(): string {
  // Tests and tools that run from the sources, too, show the page that was built last.
  const page = import.meta.url.endsWith('.ts') ? './dist/page/' : './page/';
  return fileURLToPath(new URL(page, import.meta.url));
}
