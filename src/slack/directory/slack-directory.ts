import type { Approver } from '../../core/approval/policy/approver.ts';
import type { Account } from '../../core/approval/policy/facts.ts';
import type { Directory } from '../../core/ports.ts';
import type { ApproverName } from '../ui/approver-words.ts';
import type { Mention } from '../ui/mentions.ts';

/** What Slack says about people and groups, and how messages name and notify those whom a policy names. */
export interface SlackDirectory extends Directory {
  /** Whom to mention for some approvers, at most one person or group for each; null if Slack can't tell. Never throws. */
  mentionsOf(approvers: readonly Approver[]): Promise<Mention[] | null>;
  /** What some approvers are called; where Slack can't tell, as the policy writes them. Never throws. */
  approverNames(approvers: readonly Approver[]): Promise<ApproverName>;
}

/** What lists need to know besides, on which no decision rests; ten minutes old at most. No method throws. */
export interface ListDirectory extends Directory {
  /** Null if Slack can't tell. */
  accountInLists(personId: string): Promise<Account | null>;
  /** Whether all full members of the workspace can open a channel. Null if Slack can't tell. */
  isPublic(channel: string): Promise<boolean | null>;
}
