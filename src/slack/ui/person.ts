import type { Approver } from '../../core/policy/policy.ts';
import type { Person } from '../../core/state/approval.ts';
import type { Say } from '../language/say.ts';
import { escapedLine, unescaped } from './text/escape.ts';

/** A person's current name in Slack, as they typed it. */
export type NameOf = (person: Person) => string;

export interface Words {
  name: NameOf;
  say: Say;
}

/** A name on one line, escaped; the id of a person without one. */
export function nameIn(name: NameOf, person: Person): string {
  return escapedLine(name(person), 80) || escapedLine(person.id, 80);
}

/** A mention if the id is one of Slack's, otherwise the name. It notifies the person in new messages, not in edits. */
export function mention(name: NameOf, person: Person): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(person.id) ? `<@${person.id}>` : nameIn(name, person);
}

/** A person or user group whom a message notifies, by Slack's id. */
export interface NamedMention {
  kind: 'person' | 'group';
  id: string;
}

export type Mention = NamedMention | typeof HERE;

/** Everybody who is active in the channel. */
export const HERE = { kind: 'here', id: 'HERE' } as const;

/** Mentions in mrkdwn, each once. https://docs.slack.dev/messaging/formatting-message-text#mentions */
export function mentionsText(mentions: readonly Mention[]): string {
  const shown = mentions.filter(({ id }) => /^[A-Z0-9]+$/.test(id)).map(({ kind, id }) => TOKENS[kind](id));
  return [...new Set(shown)].join(' ');
}

const TOKENS: Record<Mention['kind'], (id: string) => string> = {
  person: (id) => `<@${id}>`,
  group: (id) => `<!subteam^${id}>`,
  here: () => '<!here>',
};

/** Whether an approver has a name in Slack and can be notified there, which a channel, the workspace and an unknown input haven't. */
export function isSomebody({ kind }: Pick<Approver, 'kind'>): boolean {
  return kind !== 'workspace' && kind !== 'channel' && kind !== 'input';
}

/**
 * A person or group whom a policy names, as mrkdwn. In modals and private messages it notifies nobody.
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

/** What an approver is called in Slack, by the name that the policy has for it: `Maria` for `U0123ABC`. Notifies nobody. */
export type ApproverName = (name: string) => string;

/** The input that an approver is, or that has named them, as the crews file has it. */
export function inputIn({ kind, name, input }: Approver): string {
  return input ?? (kind === 'input' ? name.replace(/^input:/, '') : '');
}

interface Wording {
  /** Those of them whom the message notifies: by the name that the policy has for each, as `mentionsText` has it. */
  mentioned?: ReadonlyMap<string, string>;
  /** People whom the policy doesn't name, by their escaped names. */
  others?: readonly string[];
  say: Say;
}

/** Those whom a policy names on one line, escaped, as it stands after a colon or within a sentence. */
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
 * Words on one line: `A`, `A and B`, `A, B and C`, `A, B and 48 more`. They are escaped already.
 * @param more how many there are besides
 */
export function listed(
  words: readonly string[],
  say: Say,
  { most = MOST_WORDS, length = MOST_LENGTH, more = 0 }: { most?: number; length?: number; more?: number } = {},
): string {
  const shown = fitting(words, { most, length });
  const count = words.length - shown.length + more;
  return say.list(count > 0 ? [...shown, say('list.more', { count })] : shown);
}

function fitting(words: readonly string[], { most, length }: { most: number; length: number }): string[] {
  let taken = 0;
  return words.slice(0, most).filter((word, i) => {
    taken += word.length + 2;
    return i === 0 || taken <= length;
  });
}
