import { createHash } from 'node:crypto';

const TIME = "redis.call('TIME')";

/**
 * The clock of a Redis as its clients see it, which a test can put forward: a claim that outlives a dead process then ends
 * at once instead of after a minute. A Redis' clock can't be set, so that the proxies hand on each script that reads it
 * with so many seconds added; nothing else of the scripts changes.
 */
export class RedisClock {
  #aheadSeconds = 0;
  /** Scripts that read the time, by the name that EVALSHA has for them. */
  readonly #sources = new Map<string, string>();

  putForward(seconds: number): void {
    this.#aheadSeconds += seconds;
  }

  /** Back to the right time. Only where nothing is owed: what is owed would be late by as much. */
  setRight(): void {
    this.#aheadSeconds = 0;
  }

  /** The words of a command as Redis is to get them; null where it gets them as they are. */
  adjust(words: Buffer[]): (Buffer | string)[] | null {
    const [name = '', script = Buffer.of(), ...rest] = words;
    const source = this.#sourceOf(String(name).toLowerCase(), script.toString());
    if (source === undefined || this.#aheadSeconds === 0) return null;
    return ['eval', source.replaceAll(TIME, `{${TIME}[1] + ${this.#aheadSeconds}, ${TIME}[2]}`), ...rest];
  }

  #sourceOf(name: string, script: string): string | undefined {
    if (name === 'evalsha') return this.#sources.get(script);
    if (name !== 'eval' || !script.includes(TIME)) return undefined;
    this.#sources.set(createHash('sha1').update(script).digest('hex'), script);
    return script;
  }
}
