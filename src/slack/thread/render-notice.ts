import type { Approval, Notice } from '../../core/approval/approval.ts';
import { type Approver, parseApprover } from '../../core/approval/policy/approver.ts';
import { type Policy, policyFor } from '../../core/approval/policy/policy.ts';
import { type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import { type Message, noticeOf } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { permalink } from '../api/identity.ts';
import { noticeReply } from '../approval/notice-reply.ts';
import { approversNow } from '../approval/who-decides.ts';
import { approverWords } from '../ui/approver-words.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { Mention } from '../ui/mentions.ts';
import type { RenderPorts, Wanted } from './render-ports.ts';

/**
 * Whom to mention is found out when the notice is posted; `later` while Slack can't tell. Those who have voted meanwhile, or may
 * not decide their own run, are left out.
 */
export async function renderNotice(
  ports: RenderPorts,
  { execution, rendering }: Wanted,
  message: Extract<Message, { kind: 'notice' }>,
): Promise<Rendered | 'gone' | 'later'> {
  const approval = findApproval(execution, message.approvalId);
  const notice = noticeOf(execution, message);
  if (!approval || !notice) return 'gone';
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  const mentions = await findMentions(ports, execution, { approval, notice, policy });
  if (mentions === null) return 'later';
  const approvers = namedBy(notice, approval, policy);
  const [approverName, name] = await Promise.all([ports.approverNames(approvers), ports.namesOf(notice.by)]);
  const ts = tsOf(approval.card);
  return noticeReply({
    ...{ kind: notice.kind, by: notice.by, askedAt: approval.askedAt, mentions, name },
    taskName: rendering === 'bare' ? null : approval.taskName,
    whoCan: approverWords(approvers, approverName),
    link: ts === null ? null : permalink(ports.identity, execution.channel, ts, tsOf(execution.root)),
  });
}

async function findMentions(
  { mentionsOf }: RenderPorts,
  execution: Execution,
  { approval, notice, policy }: { approval: Approval; notice: Notice; policy: Policy },
): Promise<Mention[] | null> {
  const asked = notice.mentions.map(parseApprover).filter((approver) => approver !== null);
  if (asked.length === 0) return [];
  const found = await mentionsOf(asked);
  if (found === null) return null;
  const starterId = policy.selfApproval ? null : starterOf(execution)?.id;
  const passed = [starterId, ...approval.votes.map(({ by }) => by.id)];
  // Each approver stands for one person or group: never more are mentioned than were asked.
  return found.filter(({ id }) => !passed.includes(id)).slice(0, asked.length);
}

function namedBy({ kind }: Notice, { times }: Approval, policy: Policy): readonly Approver[] {
  return kind === 'escalation' ? policy.escalateTo : approversNow(policy, times.escalatedAt);
}
