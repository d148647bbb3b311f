// Prepares every text that goes to Slack, so that no message, view, answer or title shows a secret of a known shape, or a host that
// imitates another.

import { countMarks, type Mask, maskSecrets } from '../../core/values/secrets.ts';
import { invisibleIn, NOT_ASCII } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { READABLE_LENGTH } from './limits.ts';

/** Fields that nobody reads: types, our own keys, addresses, and text that people typed and will send again. */
const UNREAD = new Set([
  'type',
  'block_id',
  'action_id',
  'value',
  'initial_value',
  'private_metadata',
  'metadata',
  'url',
  'content',
  'filename',
]);

/** Returns the arguments of a call to Slack, or an answer to Slack, as people may see them. */
export function maskContent(payload: object, mask: Mask): Record<string, unknown> {
  const entries = Object.entries(payload).map(([name, part]) => [
    name,
    UNREAD.has(name) ? part : partAsShown(part, mask),
  ]);
  return Object.fromEntries(entries);
}

function partAsShown(part: unknown, mask: Mask): unknown {
  if (typeof part === 'string') return maskText(part, mask);
  if (Array.isArray(part)) return part.map((each) => partAsShown(each, mask));
  const isPlain = typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === Object.prototype;
  return isPlain ? maskContent(part, mask) : part;
}

export function maskText(text: string, mask: Mask): string {
  return withPlainHosts(mask === 'off' ? text : maskSecrets(text).text);
}

const MOST_HOSTS = 3;

/** Returns a line of mrkdwn about what a crew's text hides from its readers; null if nothing. Checks as much as windows show. */
export function hiddenLine(output: string | null, say: Say): string | null {
  const text = output?.slice(0, READABLE_LENGTH) ?? '';
  const secrets = countMarks(text);
  const invisible = invisibleIn(text).length;
  const hosts = disguisedHosts(text);
  const listed = hosts.slice(0, MOST_HOSTS).map((host) => `\`${host}\``);
  const parts = [
    ...(secrets > 0 ? [`🔒 ${say('hidden.secrets', { count: secrets })}`] : []),
    ...(invisible > 0 ? [`👻 ${say('hidden.characters', { count: invisible })}`] : []),
    ...(hosts.length > 0 ? [`⚠️ ${say('hidden.hosts', { count: hosts.length, hosts: say.list(listed) })}`] : []),
  ];
  return parts.length === 0 ? null : parts.join(' · ');
}

/** A host after `://`, or names with dots between them. */
const HOST = /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,10}/gu;

/** Each `HOST` has such a dot. Few other texts do, and they are found out fast. */
const DOT_WITHIN = /\.[\p{L}\p{N}-]/u;

/** Writes hosts that imitate others in punycode, as they are looked up. Their letters come from several scripts. */
export function withPlainHosts(text: string): string {
  return NOT_ASCII.test(text) && DOT_WITHIN.test(text) ? text.replace(HOST, plainHost) : text;
}

/** Returns the hosts in a text that imitate others, in punycode, each once. */
export function disguisedHosts(text: string): string[] {
  const hosts = NOT_ASCII.test(text) ? (text.match(HOST) ?? []) : [];
  const isChanged = (host: string) => plainHost(host) !== host;
  return [...new Set(hosts.filter(isChanged).map(plainHost))];
}

function plainHost(host: string): string {
  if (!NOT_ASCII.test(host) || !isDisguised(host) || !URL.canParse(`https://${host}`)) return host;
  return new URL(`https://${host}`).hostname;
}

const LATIN = /\p{sc=Latin}/u;
/** Scripts with letters that look like Latin ones. */
const ALIKE = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Coptic}\p{sc=Lisu}]/u;
/** Scripts that names don't usually mix with Latin letters. https://www.unicode.org/reports/tr39/#Restriction_Level_Detection */
const OTHER =
  /[^\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}]/u;

/** Returns true for a host with a name of several scripts, or below a Latin domain with letters that may all look Latin. */
function isDisguised(host: string): boolean {
  const names = host.split('.');
  const isLatin = LATIN.test(names.at(-1) ?? '');
  return names.some((name) => (LATIN.test(name) && OTHER.test(name)) || (isLatin && ALIKE.test(name)));
}
