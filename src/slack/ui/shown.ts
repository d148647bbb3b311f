// The one way by which texts reach Slack. Whatever is sent there passes through here, so that no message, view, answer or title can
// show a secret of a known shape, or a host that looks like another.

import { countMarks, type Mask, maskSecrets } from '../../core/values/secrets.ts';
import { invisibleIn, NOT_ASCII } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { READABLE_LENGTH } from './limits.ts';

/** What nobody reads: keys of our own, addresses, and what people have typed into a field, which they send again from there. */
const UNREAD = new Set(['value', 'initial_value', 'private_metadata', 'metadata', 'url', 'content', 'filename']);

/** What a call to Slack or an answer to it carries, as people may see it. */
export function asShown(sent: object, mask: Mask): Record<string, unknown> {
  const entries = Object.entries(sent).map(([name, part]) => [name, UNREAD.has(name) ? part : partAsShown(part, mask)]);
  return Object.fromEntries(entries);
}

function partAsShown(part: unknown, mask: Mask): unknown {
  if (typeof part === 'string') return textAsShown(part, mask);
  if (Array.isArray(part)) return part.map((each) => partAsShown(each, mask));
  const isPlain = typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === Object.prototype;
  return isPlain ? asShown(part, mask) : part;
}

export function textAsShown(text: string, mask: Mask): string {
  return withPlainHosts(mask === 'off' ? text : maskSecrets(text).text);
}

const MOST_HOSTS = 3;

/** What a text of a crew hides from its readers, on a line; null if nothing. Looks as far as windows show a text; mrkdwn. */
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

/** What a host is written with, after `://` or as names with dots between them. */
const HOST = /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,10}/gu;

/** The text with hosts that look like others in punycode, as they are looked up: their letters come from several scripts. */
export function withPlainHosts(text: string): string {
  return NOT_ASCII.test(text) ? text.replace(HOST, plainHost) : text;
}

/** Such hosts in a text, in punycode, each once. */
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
/** Scripts that names are usually written in together with Latin letters. https://www.unicode.org/reports/tr39/#Restriction_Level_Detection */
const OTHER =
  /[^\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Common}\p{sc=Inherited}]/u;

/** A name of several scripts, or one below a Latin domain whose letters all may look Latin. */
function isDisguised(host: string): boolean {
  const names = host.split('.');
  const isLatin = LATIN.test(names.at(-1) ?? '');
  return names.some((name) => (LATIN.test(name) && OTHER.test(name)) || (isLatin && ALIKE.test(name)));
}
