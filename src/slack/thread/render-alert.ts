import type { Alert, Approval } from '../../core/approval/approval.ts';
import { type Approver, parseApprover } from '../../core/approval/policy/approver.ts';
import { type Policy, policyFor } from '../../core/approval/policy/policy.ts';
import { type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import { alertOf, type Message } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { permalink } from '../api/identity.ts';
import { alertReply } from '../approval/alert-reply.ts';
import { approversNow } from '../approval/who-decides.ts';
import { approverWords } from '../ui/approver-words.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { Mention } from '../ui/mentions.ts';
import type { RenderPorts, Wanted } from './render-ports.ts';

/**
 * Whom to mention is found out when the alert is posted; `later` while Slack can't tell. Those who have voted meanwhile, or may
 * not decide their own run, are left out.
 */
export async function renderAlert(
  ports: RenderPorts,
  { execution, rendering }: Wanted,
  message: Extract<Message, { kind: 'alert' }>,
): Promise<Rendered | 'gone' | 'later'> {
  const approval = findApproval(execution, message.approvalId);
  const alert = alertOf(execution, message);
  if (!approval || !alert) return 'gone';
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  const mentions = await findMentions(ports, execution, { approval, alert, policy });
  if (mentions === null) return 'later';
  const approvers = namedBy(alert, approval, policy);
  const [approverName, name] = await Promise.all([ports.approverNames(approvers), ports.namesOf(alert.by)]);
  const ts = tsOf(approval.card);
  return alertReply({
    ...{ kind: alert.kind, by: alert.by, askedAt: approval.askedAt, mentions, name },
    taskName: rendering === 'bare' ? null : approval.taskName,
    whoCan: approverWords(approvers, approverName),
    link: ts === null ? null : permalink(ports.identity, execution.channel, ts, tsOf(execution.root)),
  });
}

async function findMentions(
  { mentionsOf }: RenderPorts,
  execution: Execution,
  { approval, alert, policy }: { approval: Approval; alert: Alert; policy: Policy },
): Promise<Mention[] | null> {
  const asked = alert.mentions.map(parseApprover).filter((approver) => approver !== null);
  if (asked.length === 0) return [];
  const found = await mentionsOf(asked);
  if (found === null) return null;
  const starterId = policy.selfApproval ? null : starterOf(execution)?.id;
  const passed = [starterId, ...approval.votes.map(({ by }) => by.id)];
  // Each approver stands for one person or group: never more are mentioned than were asked.
  return found.filter(({ id }) => !passed.includes(id)).slice(0, asked.length);
}

function namedBy({ kind }: Alert, { times }: Approval, policy: Policy): readonly Approver[] {
  return kind === 'escalation' ? policy.escalateTo : approversNow(policy, times.escalatedAt);
}
