// Everything that is served as a file: the page, uploads and avatars.

import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { deflateSync } from 'node:zlib';
import { visibleFile } from '../people/visible.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredFile } from '../state/workspace-state.ts';
import { bearerToken, type Exchange, sendText } from './request.ts';

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

/** Slack's answer to an app that may not read a file. https://github.com/nanocoai/nanoclaw/issues/2457 */
const SIGN_IN = '<!doctype html><title>Sign in | Slack</title>';

/** Sends a file to a member who can see it, or to the app. https://docs.slack.dev/reference/objects/file-object#authentication */
export function sendFile(workspace: Workspace, exchange: Exchange): void {
  const { request, response, url } = exchange;
  const token = bearerToken(request);
  const fileId = url.pathname.split('/').at(-1) ?? '';
  const { app, state } = workspace;
  if (token === undefined) sendIfThere(exchange, visibleFile(state, url.searchParams.get('as') ?? '', fileId));
  else if (token !== app.botToken || !app.scopes.includes('files:read')) sendText(response, 200, SIGN_IN, 'text/html');
  else
    sendIfThere(
      exchange,
      state.files.find(({ id }) => id === fileId),
    );
}

/** Only images and plain text open in the browser: what is uploaded must not run as a page. */
function sendIfThere({ response, url }: Exchange, file: StoredFile | undefined): void {
  if (!file) {
    sendText(response, 404, 'There is no such file here.');
    return;
  }
  const shownAs = /^image\/(png|jpeg|gif)$/.test(file.mimetype) ? file.mimetype : 'text/plain; charset=utf-8';
  const disposition = url.searchParams.has('download') ? 'attachment' : 'inline';
  response.writeHead(200, {
    'content-type': shownAs,
    'x-content-type-options': 'nosniff',
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  });
  response.end(Buffer.from(file.contentBase64 ?? '', 'base64'));
}

/** Serves `/avatars/U…_72.png`, the `image_72` of a profile: a square in the person's colour. */
export function avatar({ state }: Workspace, { response, url }: Exchange): void {
  const [, id, size = ''] = /^\/avatars\/([A-Z0-9]+)_(24|32|48|72|192|512)\.png$/.exec(url.pathname) ?? [];
  const member = state.members.find((candidate) => candidate.id === id);
  if (!member) {
    sendText(response, 404, 'There is no such picture.');
    return;
  }
  response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'max-age=3600' });
  response.end(square(Number(size), Buffer.from(member.color.slice(1), 'hex')));
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of one colour: 8 bits each of red, green and blue, every row without a filter. https://www.w3.org/TR/png-3/ */
function square(size: number, color: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: size }, () => color)]);
  const pixels = Buffer.concat(Array.from({ length: size }, () => row));
  return Buffer.concat([
    SIGNATURE,
    part('IHDR', head),
    part('IDAT', deflateSync(pixels)),
    part('IEND', Buffer.alloc(0)),
  ]);
}

function part(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const chunk = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(chunk));
  return Buffer.concat([length, chunk, checksum]);
}

/** https://www.w3.org/TR/png-3/#D-CRCAppendix */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
