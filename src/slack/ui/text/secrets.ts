// Secrets of known shapes, and the marks that take their place wherever Slack shows a text. The shapes are those that their issuers
// publish, as gitleaks and secretlint (both MIT) list them: https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml,
// https://github.com/secretlint/secretlint/tree/master/packages/%40secretlint
import { spread } from '../../../core/values/text.ts';

/** `known`: secrets of known shapes are masked. */
export type Mask = 'known' | 'off';

/** What may stand between the lines of a key, also where JSON or source has them on one line. */
const GAP = String.raw`(?:\\[nr]|[\s"'>|,])`;

/**
 * Each begins with what only such secrets have, and is bounded: looking through a text takes time with its length alone. Most are
 * shorter than they could be, so that one that was cut is hidden, too.
 */
const SHAPES: readonly (readonly [kind: string, pattern: string])[] = [
  [
    'private-key',
    String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${GAP}{1,80}(?:[A-Z][A-Za-z-]{2,30}: [^\n\\]{1,200}|[A-Za-z0-9+/=]{20,10000}))+(?:(?:${GAP}{1,80}[A-Za-z0-9+/=]{1,80})?${GAP}{0,80}-----END [A-Z0-9 ]{0,60}-----)?`,
  ],
  ['AWS-key', String.raw`(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`],
  [
    'AWS-secret',
    String.raw`(?<=(?:aws|AWS).{0,20}?(?:secret|SECRET|Secret).{0,20}?(?:key|KEY|Key)["']?\s{0,5}(?:=>?|:)\s{0,5}["']?|SecretAccessKey["']?\s{0,5}[=:]\s{0,5}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`,
  ],
  ['GitHub-token', String.raw`(?<![A-Za-z0-9])(?:gh[oprsu]_\w{16,255}|github_pat_\w{20,255})`],
  ['GitLab-token', String.raw`(?<![A-Za-z0-9])gl(?:agent|cbt|dt|ft|imt|pat|ptt|rt|soat)-[\w-]{16,255}`],
  ['Slack-token', String.raw`(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[bp])?-|xapp-\d-)[A-Za-z0-9-]{10,255}`],
  ['Slack-webhook', String.raw`(?<=hooks\.slack\.com/(?:services|triggers|workflows)/)[\w/]{20,255}`],
  ['API-key', String.raw`(?<![A-Za-z0-9])sk-(?:(?:admin|ant|or|proj|svcacct)-[\w-]{16,255}|[A-Za-z0-9]{32,64}\b)`],
  [
    'API-key',
    String.raw`(?<![A-Za-z0-9])(?:gsk_|hf_|lin_api_|npm_|ntn_|nvapi-|pplx-|pul-|r8_|sntry[su]_|xai-)[\w-]{24,255}`,
  ],
  [
    'API-key',
    String.raw`(?<![A-Za-z0-9])(?:dckr_[op]at_|dop_v1_|figd_|glc_|glsa_|pscale_(?:oauth|pw|tkn)_|pypi-AgEI|sbp_|shp(?:at|ca|pa|ss)_|vc[aciprk]_|NRAK-)[\w+/=-]{20,255}`,
  ],
  ['Stripe-key', String.raw`(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9+/]{10,255}`],
  ['Google-key', String.raw`(?<![A-Za-z0-9])(?:AIza[\w-]{20,35}|GOCSPX-[\w-]{20,80}|ya29\.[\w-]{20,2000})`],
  ['SendGrid-key', String.raw`(?<![A-Za-z0-9])SG\.[\w-]{16,32}\.[\w-]{16,64}`],
  ['Twilio-key', String.raw`(?<![A-Za-z0-9])SK[0-9a-f]{32}\b`],
  ['Databricks-token', String.raw`(?<![A-Za-z0-9])dapi[0-9a-f]{32}`],
  ['Vault-token', String.raw`(?<![A-Za-z0-9])hv[brs]\.[\w-]{24,300}`],
  ['Azure-key', '(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,88}={0,2}'],
  ['Azure-secret', String.raw`(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])`],
  ['Telegram-token', String.raw`(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{32,35}`],
  ['age-key', String.raw`(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{40,58}`],
  ['JWT', String.raw`(?<![\w-])ey[\w-]{15,4000}\.ey[\w-]{15,8000}\.[\w-]{10,2000}`],
  [
    'password',
    String.raw`(?<=(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/?#@"'<>█]{0,100}:)[^\s/?#@"'<>█]{1,200}(?=@)`,
  ],
];

const ANY = new RegExp(SHAPES.map(([, pattern]) => `(${pattern})`).join('|'), 'g');
const MARK = /█[A-Za-z]+(?:-[A-Za-z]+)?-\w+█/g;

export interface Masked {
  text: string;
  /** What each mark in the text stands for. */
  secrets: ReadonlyMap<string, string>;
}

/** The text with a mark for each secret of a known shape: always the same for the same secret, and another one for another. */
export function maskSecrets(text: string): Masked {
  const masking = new Masking(text);
  while (masking.goOn());
  return masking.masked();
}

/** The same, with pauses in which other work is done: megabytes take a second. */
export async function maskSlowly(text: string): Promise<string> {
  const masking = new Masking(text);
  while (masking.goOn()) await new Promise(setImmediate);
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

/** Some ten milliseconds. */
const SLICE = 131_072;
/** As far as a shape looks back, and as long as most secrets are; a longer one is hidden as far as this. */
const AROUND = 16_384;

class Masking {
  readonly #text: string;
  readonly #secrets = new Map<string, string>();
  #shown = '';
  /** Until where the text has been masked, and looked through. */
  #maskedTo = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Masks another slice. Returns whether more is left. */
  goOn(): boolean {
    const end = this.#at + SLICE;
    const from = Math.max(0, this.#at - AROUND);
    const near = from === 0 && end >= this.#text.length ? this.#text : this.#text.slice(from, end + AROUND);
    ANY.lastIndex = Math.max(this.#at, this.#maskedTo) - from;
    for (const found of near.matchAll(ANY)) {
      const start = from + found.index;
      if (start >= end) break;
      this.#shown += this.#text.slice(this.#maskedTo, start) + this.#markOf(found);
      this.#maskedTo = start + found[0].length;
    }
    this.#at = end;
    return end < this.#text.length;
  }

  masked(): Masked {
    const rest = this.#text.slice(this.#maskedTo);
    return { text: this.#maskedTo === 0 ? this.#text : this.#shown + rest, secrets: this.#secrets };
  }

  /** Two letters tell secrets apart and nothing about them; more where others have the same ones. */
  #markOf([secret, ...groups]: RegExpExecArray): string {
    const [kind] = SHAPES[groups.findIndex((group) => group !== undefined)] ?? ['secret'];
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
