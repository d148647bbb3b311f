// The marks that take the place of secrets of known shapes wherever Slack shows a text.
import { type Secret, secretsIn } from '../../../core/values/secrets.ts';
import { spread } from '../../../core/values/text.ts';

/** `known`: secrets of known shapes are masked. */
export type Mask = 'known' | 'off';

const MARK = /█[A-Za-z]+(?:-[A-Za-z]+)?-\w+█/g;

export interface Masked {
  text: string;
  /** What each mark in the text stands for. */
  secrets: ReadonlyMap<string, string>;
}

/** The text with a mark for each secret of a known shape: always the same for the same secret, and another one for another. */
export function maskSecrets(text: string): Masked {
  const masking = new Masking(text);
  for (const secrets of secretsIn(text)) masking.hide(secrets);
  return masking.masked();
}

/** The same, with pauses in which other work is done: megabytes take a second. */
export async function maskSlowly(text: string): Promise<string> {
  const masking = new Masking(text);
  let isFirst = true;
  for (const secrets of secretsIn(text)) {
    if (!isFirst) await new Promise(setImmediate);
    isFirst = false;
    masking.hide(secrets);
  }
  return masking.masked().text;
}

/** The text with what its marks stand for, those that are still there as they were. */
export function unmask(text: string, secrets: Masked['secrets']): string {
  return text.replace(MARK, (mark) => secrets.get(mark) ?? mark);
}

/** A part of a secret of this length says something of it. */
const TELLING = 6;

/** Whether a text shows a part of one of these secrets although secrets of known shapes are masked. */
export function showsSecret(text: string, secrets: Masked['secrets']): boolean {
  const shown = maskSecrets(text).text;
  return [...secrets.values()].some((secret) => {
    const length = Math.min(TELLING, secret.length);
    return Array.from({ length: secret.length - length + 1 }, (_, i) => secret.slice(i, i + length)).some((part) =>
      shown.includes(part),
    );
  });
}

export function countMarks(text: string): number {
  return text.match(MARK)?.length ?? 0;
}

class Masking {
  readonly #text: string;
  readonly #secrets = new Map<string, string>();
  #shown = '';
  #maskedTo = 0;

  constructor(text: string) {
    this.#text = text;
  }

  hide(secrets: readonly Secret[]): void {
    for (const { kind, start, end } of secrets) {
      this.#shown += this.#text.slice(this.#maskedTo, start) + this.#markOf(kind, this.#text.slice(start, end));
      this.#maskedTo = end;
    }
  }

  masked(): Masked {
    const rest = this.#text.slice(this.#maskedTo);
    return { text: this.#maskedTo === 0 ? this.#text : this.#shown + rest, secrets: this.#secrets };
  }

  /** Two letters tell secrets apart and nothing about them; more where others have the same ones. */
  #markOf(kind: string, secret: string): string {
    const letters = Math.floor(spread(secret) * 36 ** 8)
      .toString(36)
      .padStart(8, '0');
    for (let count = 2; ; count++) {
      const mark = `█${kind}-${letters.slice(0, count)}█`;
      if ((this.#secrets.get(mark) ?? secret) !== secret && count < letters.length) continue;
      this.#secrets.set(mark, secret);
      return mark;
    }
  }
}
