import { deflateSync } from 'node:zlib';
import type { Workspace } from '../runtime/workspace.ts';
import { type Exchange, sendText } from './request.ts';

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
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
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
