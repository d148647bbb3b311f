import { createHash } from 'node:crypto';

const TIME = "redis.call('TIME')";

/**
 * Redis's clock as its clients see it. A test can put it forward, so that the claims of a dead process expire at once
 * instead of after a minute. Redis's own clock can't be set, so the proxies add seconds in each script that reads it.
 */
export class RedisClock {
  #aheadSeconds = 0;
  /** Scripts that read the time, by their SHA-1. */
  readonly #sources = new Map<string, string>();

  putForward(seconds: number): void {
    this.#aheadSeconds += seconds;
  }

  /** Only while no action is due later: it would be late by as much. */
  setRight(): void {
    this.#aheadSeconds = 0;
  }

  /** The words that Redis gets instead; null for no change. */
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
