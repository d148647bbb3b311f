import type { Approver } from '../../core/approval/policy/approver.ts';
import { listed } from './listed.ts';
import { escapedLine } from './text/escape.ts';

/** What an approver is called in Slack, by the name that the policy has for it: `Maria` for `U0123ABC`. Notifies nobody. */
export type ApproverName = (name: string) => string;

/** Those whom a policy names, and others by their escaped names, on one line, escaped. */
export function approverWords(
  approvers: readonly Approver[],
  name: ApproverName,
  others: readonly string[] = [],
): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return MEMBERS;
  const words = [...approvers.map((approver) => wordsFor(approver, name)), ...others];
  return words.length === 0 ? 'nobody' : listed([...new Set(words)]);
}

const MEMBERS = 'all members of the workspace';

function wordsFor({ kind, name: asWritten }: Approver, name: ApproverName): string {
  switch (kind) {
    case 'workspace':
      return MEMBERS;
    case 'channel':
      return 'all members of this channel';
    case 'person':
    case 'email':
    case 'group':
    case 'handle':
      return escapedLine(name(asWritten), 80) || 'somebody';
  }
}

/** With a capital letter, at the beginning of a sentence. */
export function capitalised(words: string): string {
  return words.startsWith('all members ') ? words.replace('all', 'All') : words;
}
