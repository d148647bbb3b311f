/** A command's words, and its bytes as received. */
export interface Command {
  words: Buffer[];
  bytes: Buffer;
}

/**
 * The first complete command, an array of bulk strings, and the offset of the next one; null if it is incomplete.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#sending-commands-to-a-redis-server
 */
export function firstCommand(sent: Buffer): { command: Command; end: number } | null {
  const count = lengthAt(sent, 0);
  if (count === null) return null;
  const words: Buffer[] = [];
  let end = count.end;
  for (let i = 0; i < count.value; i++) {
    const length = lengthAt(sent, end);
    if (length === null || sent.length < length.end + length.value + 2) return null;
    words.push(sent.subarray(length.end, length.end + length.value));
    end = length.end + length.value + 2;
  }
  return { command: { words, bytes: sent.subarray(0, end) }, end };
}

/** Encodes a command. */
export function writeCommand(words: (Buffer | string)[]): Buffer {
  const parts = words.flatMap((word) => [`$${Buffer.byteLength(word)}\r\n`, word, '\r\n']);
  return Buffer.concat([`*${words.length}\r\n`, ...parts].map((part) => Buffer.from(part)));
}

const AGGREGATES: Record<string, number> = { '*': 1, '~': 1, '>': 1, '%': 2 };

/** Where the reply at `from` ends, in RESP2 and RESP3; null if it is incomplete. */
export function replyEnd(received: Buffer, from = 0): number | null {
  const head = lengthAt(received, from);
  if (head === null) return null;
  const type = String.fromCharCode(received[from] ?? 0);
  if (['$', '!', '='].includes(type))
    return wholeUntil(received, head.value < 0 ? head.end : head.end + head.value + 2);
  let end: number | null = head.end;
  const parts = (AGGREGATES[type] ?? 0) * Math.max(0, head.value);
  for (let i = 0; i < parts && end !== null; i++) end = replyEnd(received, end);
  return end;
}

function wholeUntil(received: Buffer, end: number): number | null {
  return received.length < end ? null : end;
}

/** The number in a line such as `*3\r\n`, and where the line ends. */
function lengthAt(bytes: Buffer, from: number): { value: number; end: number } | null {
  const lineEnd = bytes.indexOf('\r\n', from);
  return lineEnd === -1 ? null : { value: Number(bytes.toString('latin1', from + 1, lineEnd)), end: lineEnd + 2 };
}
