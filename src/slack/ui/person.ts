import type { Approver } from '../../core/policy/policy.ts';
import type { Person } from '../../core/state/request.ts';
import type { Say } from '../language/say.ts';
import { escapedLine, unescaped } from './text/escape.ts';

/** Returns a person's current name in Slack, not escaped. */
export type NameOf = (person: Person) => string;

export interface Words {
  name: NameOf;
  say: Say;
}

/** Returns a name on one line, escaped, or the id of a person without a name. */
export function nameIn(name: NameOf, person: Person): string {
  return escapedLine(name(person), 80) || escapedLine(person.id, 80);
}

/** Returns a mention if the id is one of Slack's, otherwise the name. A mention notifies the person in a new message, not in an edit. */
export function mention(name: NameOf, person: Person): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(person.id) ? `<@${person.id}>` : nameIn(name, person);
}

export interface NamedMention {
  kind: 'person' | 'group';
  id: string;
}

export type Mention = NamedMention | typeof HERE;

/** Notifies everybody who is active in the channel. */
export const HERE = { kind: 'here', id: 'HERE' } as const;

/** Returns mentions in mrkdwn, each once. https://docs.slack.dev/messaging/formatting-message-text#mentions */
export function mentionsText(mentions: readonly Mention[]): string {
  const tokens = mentions.filter(({ id }) => /^[A-Z0-9]+$/.test(id)).map(({ kind, id }) => TOKENS[kind](id));
  return [...new Set(tokens)].join(' ');
}

const TOKENS: Record<Mention['kind'], (id: string) => string> = {
  person: (id) => `<@${id}>`,
  group: (id) => `<!subteam^${id}>`,
  here: () => '<!here>',
};

/** Returns true for an approver with a name in Slack who can be notified. Channels, the workspace and unknown inputs can't. */
export function canBeNotified({ kind }: Pick<Approver, 'kind'>): boolean {
  return kind !== 'workspace' && kind !== 'channel' && kind !== 'input';
}

/**
 * Mentions an approver in mrkdwn. In modals and private messages it notifies nobody.
 * https://docs.slack.dev/messaging/formatting-message-text#mentioning-users
 */
export function approverMention({ kind, name }: Approver): string {
  switch (kind) {
    case 'person':
      return `<@${name}>`;
    case 'group':
      return `<!subteam^${name}>`;
    case 'email':
    case 'handle':
    case 'channel':
    case 'workspace':
    case 'input':
      return escapedLine(name, 100);
  }
}

/** Returns what an approver is called in Slack, by the name in the crews file: `Maria` for `U0123ABC`. Notifies nobody. */
export type ApproverName = (name: string) => string;

/** Returns the name of the input that an approver is, or that named the approver, as the crews file has it. */
export function inputIn({ kind, name, input }: Approver): string {
  return input ?? (kind === 'input' ? name.replace(/^input:/, '') : '');
}

interface Wording {
  /** Mentions of approvers whom the message notifies, by their names in the crews file. */
  mentioned?: ReadonlyMap<string, string>;
  /** Escaped names of people who aren't in the crews file. */
  others?: readonly string[];
  say: Say;
}

/** Names approvers on one line, escaped, to stand after a colon or within a sentence. */
export function approverWords(
  approvers: readonly Approver[],
  name: ApproverName,
  { mentioned, others = [], say }: Wording,
): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('who.workspace');
  const words = [...approvers.map((each) => mentioned?.get(each.name) ?? wordsFor(each, { name, say })), ...others];
  return words.length === 0 ? say('who.nobody') : listed([...new Set(words)], say);
}

export function approverText(approvers: readonly Approver[], name: ApproverName, say: Say): string {
  return unescaped(approverWords(approvers, name, { say }));
}

function wordsFor(approver: Approver, { name, say }: { name: ApproverName; say: Say }): string {
  const { kind, name: asWritten } = approver;
  switch (kind) {
    case 'workspace':
      return say('who.workspace');
    case 'channel':
      return say('who.this-channel');
    case 'input':
      return say('who.input-nobody', { input: escapedLine(inputIn(approver), 80) });
    case 'person':
    case 'email':
    case 'group':
    case 'handle':
      return escapedLine(name(asWritten), 80) || escapedLine(asWritten, 80);
  }
}

const MOST_WORDS = 12;
const MOST_LENGTH = 600;

/**
 * Lists escaped words on one line: `A`, `A and B`, `A, B and C`, `A, B and 48 more`.
 * @param more the number of further items that aren't in the list
 */
export function listed(
  words: readonly string[],
  say: Say,
  { most = MOST_WORDS, length = MOST_LENGTH, more = 0 }: { most?: number; length?: number; more?: number } = {},
): string {
  const items = fitting(words, { most, length });
  const count = words.length - items.length + more;
  return say.list(count > 0 ? [...items, say('list.more', { count })] : items);
}

function fitting(words: readonly string[], { most, length }: { most: number; length: number }): string[] {
  let taken = 0;
  return words.slice(0, most).filter((word, i) => {
    taken += word.length + 2;
    return i === 0 || taken <= length;
  });
}
