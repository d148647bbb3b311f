import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { type Exchange, sendText } from './request.ts';

const TYPES: { [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

const HINT = 'The workspace is running, but without its web page: pass the folder of the built page as pageDir.';

/** Serves the built page from a folder. Paths without an extension serve the page itself. */
export async function staticPage(pageDir: string | undefined, { response, url }: Exchange): Promise<void> {
  if (pageDir === undefined) return sendText(response, 200, HINT);
  try {
    const file = fileOf(url.pathname);
    const bytes = await readFile(join(pageDir, file));
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      // Vite puts a content hash into these file names.
      'cache-control': file.startsWith(`assets${sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    response.end(bytes);
  } catch {
    sendText(response, 404, 'Not found.');
  }
}

/** Maps a path to a file. Throws for paths outside the folder. */
function fileOf(pathname: string): string {
  const path = normalize(decodeURIComponent(pathname)).replace(/^[/\\]+/, '');
  if (path.split(sep).includes('..')) throw new Error(`${pathname} leads out of the page's folder`);
  return extname(path) === '' ? 'index.html' : path;
}
