import type { Approver } from '../../core/approval/policy/approver.ts';
import type { Say } from '../language/say.ts';
import { listed } from './listed.ts';
import { escapedLine } from './text/escape.ts';

/** What an approver is called in Slack, by the name that the policy has for it: `Maria` for `U0123ABC`. Notifies nobody. */
export type ApproverName = (name: string) => string;

interface Wording {
  /** People whom the policy doesn't name, by their escaped names. */
  others?: readonly string[];
  say: Say;
}

/** Those whom a policy names on one line, escaped, as it stands after a colon or within a sentence. */
export function approverWords(
  approvers: readonly Approver[],
  name: ApproverName,
  { others = [], say }: Wording,
): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('who.workspace');
  const words = [...approvers.map((approver) => wordsFor(approver, { name, say })), ...others];
  return words.length === 0 ? say('who.nobody') : listed([...new Set(words)], say);
}

function wordsFor({ kind, name: asWritten }: Approver, { name, say }: { name: ApproverName; say: Say }): string {
  switch (kind) {
    case 'workspace':
      return say('who.workspace');
    case 'channel':
      return say('who.this-channel');
    case 'person':
    case 'email':
    case 'group':
    case 'handle':
      return escapedLine(name(asWritten), 80) || escapedLine(asWritten, 80);
  }
}
