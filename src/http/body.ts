// Reading bodies of requests within a limited amount of memory.

import type { IncomingMessage } from 'node:http';
import { type Answer, refusal } from './answer.ts';

interface BodyLimits {
  /** Memory for all bodies together. */
  heldBytes: number;
  /** Size of the largest body. */
  mostBytes: number;
  /** Time that a sender may take. */
  withinMs: number;
}

/** A body whose sender isn't done. */
interface Arriving {
  held: HeldBytes;
  settle: (refused: Answer | null) => void;
}

/**
 * Once the memory is full, turns away the client that has been sending for the longest, not the next one: honest clients take
 * milliseconds, so slow ones keep nobody out, however many they are.
 */
export class BodyReader {
  readonly #limits: BodyLimits;
  #freeBytes: number;
  /** The oldest first. */
  readonly #arriving = new Set<Arriving>();

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#freeBytes = limits.heldBytes;
  }

  /** Reads a body and passes it on. Refuses one that is compressed, too large or too slow. Rejects if the sender goes away. */
  async withBody(request: IncomingMessage, use: (body: Buffer) => Promise<Answer>): Promise<Answer> {
    if (!PLAIN.test(request.headers['content-encoding'] ?? '')) return ENCODED;
    if (Number(request.headers['content-length'] ?? 0) > this.#limits.mostBytes) return TOO_LARGE;
    const bytes = new HeldBytes();
    try {
      return (await this.#read(request, bytes)) ?? (await use(bytes.bytes()));
    } finally {
      this.#release(bytes);
    }
  }

  /** Resolves to null once the whole body is here, or to the answer that refuses it. */
  #read(request: IncomingMessage, bytes: HeldBytes): Promise<Answer | null> {
    const { mostBytes, withinMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(late);
        this.#arriving.delete(arriving);
        request.off('data', take).off('end', finish);
      };
      const settle = (refused: Answer | null) => {
        stop();
        // The memory of a refused body need not wait for the answer.
        if (refused) this.#release(bytes);
        resolve(refused);
      };
      const take = (chunk: Buffer) => {
        if (bytes.length + chunk.length > mostBytes) return settle(TOO_LARGE);
        this.#freeBytes -= bytes.add(chunk, mostBytes);
        while (this.#freeBytes < 0) this.#turnAwayOldest();
      };
      const finish = () => settle(null);
      const arriving: Arriving = { held: bytes, settle };
      const late = setTimeout(() => settle(TOO_SLOW), withinMs);
      this.#arriving.add(arriving);
      request
        .on('data', take)
        .once('end', finish)
        .once('error', (error) => {
          stop();
          reject(error);
        });
    });
  }

  /**
   * Turns away the sender that has taken longest. There is always one: bodies that were read hold memory too, but the body whose bytes
   * have just come is still arriving.
   */
  #turnAwayOldest(): void {
    const [oldest] = this.#arriving;
    oldest?.settle(TOO_MUCH);
  }

  #release(bytes: HeldBytes): void {
    this.#freeBytes += bytes.drop();
  }
}

const PLAIN = /^(identity)?$/i;
/** `Accept-Encoding` says what would be taken: https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16 */
const ENCODED = refusal(415, 'The body has a Content-Encoding; send it without one.', {
  'accept-encoding': 'identity',
});
const TOO_LARGE = refusal(413, 'The body is too large.');
const TOO_SLOW = refusal(408, 'The body took too long.');
const TOO_MUCH = refusal(503, 'Too much is in progress; send it again.', { 'retry-after': '5' });

/** Bytes in one piece: a body may arrive in chunks of one byte, and a list of them would take many times its size. */
class HeldBytes {
  length = 0;
  #buffer = Buffer.alloc(0);

  /** Returns how much more memory it takes. */
  add(chunk: Buffer, mostBytes: number): number {
    const before = this.#buffer.length;
    const length = this.length + chunk.length;
    if (length > before) {
      const larger = Buffer.allocUnsafe(Math.max(length, Math.min(2 * before, mostBytes)));
      this.#buffer.copy(larger, 0, 0, this.length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.length);
    this.length = length;
    return this.#buffer.length - before;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  /** Returns the memory that it took. */
  drop(): number {
    const { length } = this.#buffer;
    this.#buffer = Buffer.alloc(0);
    this.length = 0;
    return length;
  }
}
