import type { Approver } from '../../core/approval/policy/approver.ts';
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

/** What lists need to know besides. */
export interface ListDirectory extends Directory {
  /** Whether all full members of the workspace can open a channel, ten minutes ago at most. Null if Slack can't tell. Never throws. */
  isPublic(channel: string): Promise<boolean | null>;
}
