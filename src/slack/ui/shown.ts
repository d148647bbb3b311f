// The one way by which texts reach Slack. Whatever is sent there passes through here, so that no message, view, answer or title can
// show a secret of a known shape, or a host that looks like another.

import { countMarks, type Mask, maskSecrets } from '../../core/values/secrets.ts';
import { invisibleIn } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { READABLE_LENGTH } from './limits.ts';
import { disguisedHosts, withPlainHosts } from './text/hosts.ts';

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
