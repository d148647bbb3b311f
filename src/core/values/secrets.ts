// Secrets of known shapes, and the marks that replace them wherever Slack shows a text. The issuers publish these shapes; gitleaks and
// secretlint (both MIT) list them:
// https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml,
// https://github.com/secretlint/secretlint/tree/master/packages/%40secretlint
import { spread, UNSEEN } from './text.ts';

/** Characters between the lines of a key, also where JSON or source code has them on one line. */
const GAP = String.raw`(?:\\[nr]|[\s"'>|,])`;

/**
 * Each shape begins with characters that only such secrets have, and is bounded, so that the time grows with the text's length alone.
 * Most are shorter than the secrets, so that they also hide one that was cut.
 */
const SHAPES: readonly (readonly [kind: string, pattern: string])[] = [
  [
    'private-key',
    String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${GAP}{1,80}(?:[A-Z][A-Za-z-]{2,30}: [^\n\\]{1,200}|[A-Za-z0-9+/=]{20,10000}))+(?:(?:${GAP}{1,80}[A-Za-z0-9+/=]{1,80})?${GAP}{0,80}-----END [A-Z0-9 ]{0,60}-----)?`,
  ],
  ['AWS-key', String.raw`(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`],
  [
    'AWS-secret',
    String.raw`(?<=[=>:\s"'])(?<=(?:aws|AWS).{0,20}?(?:secret|SECRET|Secret).{0,20}?(?:key|KEY|Key)["']?\s{0,5}(?:=>?|:)\s{0,5}["']?|SecretAccessKey["']?\s{0,5}[=:]\s{0,5}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`,
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
  ['Stripe-key', '(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9+/]{10,255}'],
  ['Google-key', String.raw`(?<![A-Za-z0-9])(?:AIza[\w-]{20,35}|GOCSPX-[\w-]{20,80}|ya29\.[\w-]{20,2000})`],
  ['SendGrid-key', String.raw`(?<![A-Za-z0-9])SG\.[\w-]{16,32}\.[\w-]{16,64}`],
  ['Twilio-key', String.raw`(?<![A-Za-z0-9])SK[0-9a-f]{32}\b`],
  ['Databricks-token', '(?<![A-Za-z0-9])dapi[0-9a-f]{32}'],
  ['Vault-token', String.raw`(?<![A-Za-z0-9])hv[brs]\.[\w-]{24,300}`],
  ['Azure-key', '(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,88}={0,2}'],
  ['Azure-secret', String.raw`(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])`],
  ['Telegram-token', String.raw`(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{32,35}`],
  ['age-key', '(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{40,58}'],
  ['JWT', String.raw`(?<![\w-])ey[\w-]{15,4000}\.ey[\w-]{15,8000}\.[\w-]{10,2000}`],
  [
    'password',
    String.raw`(?<=(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/?#@"'<>█]{0,100}:)[^\s/?#@"'<>█]{1,200}(?=@)`,
  ],
];

const ANY = new RegExp(SHAPES.map(([, pattern]) => `(${pattern})`).join('|'), 'g');

/** Most texts have no secret. These find that out four times as fast: alone, a shape is searched for by its first characters. */
const EACH = SHAPES.map(([, pattern]) => new RegExp(pattern));

/** One slice takes about ten milliseconds. */
const SLICE = 131_072;
/** No shape looks back further, and few secrets are longer. At least this much of a longer one is hidden. */
const AROUND = 16_384;

interface Secret {
  kind: string;
  /** UTF-16 units of the text. */
  start: number;
  end: number;
}

/** Yields the secrets of a text, a slice at a time. */
function* secretsIn(text: string): Generator<Secret[]> {
  const { plain, placeOf } = undisguised(text);
  let lastEnd = 0;
  for (let at = 0; at === 0 || at < plain.length; at += SLICE) {
    const end = at + SLICE;
    const from = Math.max(0, at - AROUND);
    const near = from === 0 && end >= plain.length ? plain : plain.slice(from, end + AROUND);
    let mayHold = false;
    for (const shape of EACH) mayHold ||= shape.test(near);
    if (!mayHold) {
      yield [];
      continue;
    }
    const secrets: Secret[] = [];
    ANY.lastIndex = Math.max(at, lastEnd) - from;
    for (const { 0: secret, index, ...match } of near.matchAll(ANY)) {
      const start = from + index;
      if (start >= end) break;
      lastEnd = start + secret.length;
      const shape = SHAPES.findIndex((_, i) => match[i + 1] !== undefined);
      secrets.push({ kind: SHAPES[shape]?.[0] ?? 'secret', start: placeOf(start), end: placeOf(lastEnd - 1) + 1 });
    }
    yield secrets;
  }
}

/** Backslashes that Markdown drops from a token, and characters that nobody sees. */
const DISGUISE = new RegExp(`\\\\(?=[_.~-])|${UNSEEN.source}`, 'gu');

/** Returns the text as people read it. `placeOf` finds a place of it in the original; call it in ascending order. */
function undisguised(text: string): { plain: string; placeOf: (at: number) => number } {
  const gaps: { before: number; length: number }[] = [];
  let length = 0;
  const plain = text.replace(DISGUISE, (disguise, at: number) => {
    const before = at - length;
    length += disguise.length;
    gaps.push({ before, length });
    return '';
  });
  let passed = 0;
  const placeOf = (at: number) => {
    while ((gaps[passed]?.before ?? Number.POSITIVE_INFINITY) <= at) passed++;
    return at + (gaps[passed - 1]?.length ?? 0);
  };
  return { plain, placeOf };
}

/** Longer than the beginning of any secret around a cut. */
const AROUND_CUT = 2_000;

/** Returns the last place up to `at` that lies in no secret. */
export function outsideSecret(text: string, at: number): number {
  const from = Math.max(0, at - AROUND_CUT);
  const near = secretsIn(text.slice(from, at + AROUND_CUT));
  const cut = [...near].flat().find(({ start, end }) => from + start < at && at < from + end);
  return cut ? from + cut.start : at;
}

/** `known` masks secrets of known shapes. */
export type Mask = 'known' | 'off';

const MARK_SIGN = '█';
const MARK = /█[A-Za-z]+(?:-[A-Za-z]+)?-\w+█/g;

export interface Masked {
  text: string;
  /** The secret behind each mark in the text. */
  secrets: ReadonlyMap<string, string>;
}

/** Replaces each secret of a known shape by a mark: always the same for the same secret, and another one for another. */
export function maskSecrets(text: string): Masked {
  const slices = maskInSlices(text);
  let step = slices.next();
  while (!step.done) step = slices.next();
  return step.value;
}

/** Masks a text like `maskSecrets`, but yields after each slice, so that other work can go on: megabytes take a second. */
export function* maskInSlices(text: string): Generator<undefined, Masked> {
  const secrets = new Map<string, string>();
  // A mark that is part of the text, since people can quote one, stands for no secret.
  const quoted = new Set(text.match(MARK));
  let masked = '';
  let maskedTo = 0;
  for (const slice of secretsIn(text)) {
    for (const { kind, start, end } of slice) {
      masked += text.slice(maskedTo, start) + markFor(text.slice(start, end), kind, { secrets, quoted });
      maskedTo = end;
    }
    yield;
  }
  return { text: maskedTo === 0 ? text : masked + text.slice(maskedTo), secrets };
}

/** Two letters tell secrets apart and nothing about them. There are more if another secret has the same, or the text quotes the mark. */
function markFor(
  secret: string,
  kind: string,
  { secrets, quoted }: { secrets: Map<string, string>; quoted: ReadonlySet<string> },
): string {
  const letters = Math.floor(spread(secret) * 36 ** 8)
    .toString(36)
    .padStart(8, '0');
  for (let count = 2; ; count++) {
    const more = count > letters.length ? count : '';
    const mark = `█${kind}-${letters.slice(0, count)}${more}█`;
    if (quoted.has(mark) || (secrets.get(mark) ?? secret) !== secret) continue;
    secrets.set(mark, secret);
    return mark;
  }
}

/** Puts the secrets back in place of their marks. */
export function unmask(text: string, secrets: Masked['secrets']): string {
  return text.replace(MARK, (mark) => secrets.get(mark) ?? mark);
}

/** A part of a secret of this length gives something of it away. */
const TELLING = 6;

/** Returns true if a text still shows a part of one of these secrets after masking. */
export function showsSecret(text: string, secrets: Masked['secrets']): boolean {
  const masked = maskSecrets(text).text;
  return [...secrets.values()].some((secret) => {
    const length = Math.min(TELLING, secret.length);
    return Array.from({ length: secret.length - length + 1 }, (_, i) => secret.slice(i, i + length)).some((part) =>
      masked.includes(part),
    );
  });
}

/** Returns true if an edited text, after unmasking, has a part of a mark in place of a secret. */
export function hasPartOfMark(edited: string, original: string): boolean {
  return edited.split(MARK_SIGN).length > original.split(MARK_SIGN).length;
}

export function countMarks(text: string): number {
  return text.match(MARK)?.length ?? 0;
}
