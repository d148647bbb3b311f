// Hosts that look like others, since their letters come from several scripts.
import { NOT_ASCII } from '../../../core/values/text.ts';

/** What a host is written with, after `://` or as names with dots between them. */
const HOST = /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,10}/gu;

/** The text with such hosts in punycode, as they are looked up. */
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
