import type { Alert, Approval } from '../../core/approval/approval.ts';
import type { Approver } from '../../core/approval/policy/approver.ts';
import { approversNow, type Policy, policyFor } from '../../core/approval/policy/policy.ts';
import { findApproval } from '../../core/execution/execution.ts';
import { alertOf, type Message } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { permalink } from '../api/identity.ts';
import { alertReply } from '../approval/alert-reply.ts';
import { approverWords } from '../ui/approver-words.ts';
import type { Rendered } from '../ui/blocks.ts';
import { findMentions } from './find-mentions.ts';
import type { RenderPorts, WantedInWords } from './render-ports.ts';

/** Whom to mention is found out when the alert is posted; `later` while Slack can't tell who is asked. */
export async function renderAlert(
  ports: RenderPorts,
  { execution, rendering, say }: WantedInWords,
  message: Extract<Message, { kind: 'alert' }>,
): Promise<Rendered | 'gone' | 'later'> {
  const approval = findApproval(execution, message.approvalId);
  const alert = alertOf(execution, message);
  if (!approval || !alert) return 'gone';
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  if (policy === null) return 'later';
  const mentions = await findMentions(ports, execution, { approval, asked: alert.mentions, policy });
  if (mentions === null) return 'later';
  const approvers = namedBy(alert, approval, policy);
  const [approverName, name] = await Promise.all([ports.approverNames(approvers), ports.namesOf(alert.by)]);
  const ts = tsOf(approval.card);
  return alertReply({
    ...{ kind: alert.kind, by: alert.by, askedAt: approval.askedAt, mentions, name, say },
    taskName: rendering === 'bare' ? null : approval.taskName,
    whoCan: approverWords(approvers, approverName, { say }),
    link: ts === null ? null : permalink(ports.identity, execution.channel, ts, tsOf(execution.root)),
  });
}

function namedBy({ kind }: Alert, { times }: Approval, policy: Policy): readonly Approver[] {
  return kind === 'escalation' ? policy.escalateTo : approversNow(policy, { isEscalated: times.escalatedAt !== null });
}
