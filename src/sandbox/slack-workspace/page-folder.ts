import { fileURLToPath } from 'node:url';

/** The folder of the built page, for `pageDir`. */
export function pageFolder(): string {
  // From the sources, too, what tests and tools show is what was built last.
  const page = import.meta.url.endsWith('.ts') ? './dist/page/' : './page/';
  return fileURLToPath(new URL(page, import.meta.url));
}
