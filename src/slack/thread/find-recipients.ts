import type { Approval } from '../../core/approval/approval.ts';
import { approversNow, barredStarters, policyFor } from '../../core/approval/policy/policy.ts';
import type { Recipient, Recipients } from '../../core/approval/recipient.ts';
import { type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import { awaitedOf } from '../../core/inbox/judgement.ts';
import { isToldAtOnce } from '../../core/inbox/person-settings.ts';
import { alertOf, type Message } from '../../core/messages/message.ts';
import type { Millis } from '../../core/time.ts';
import { gatherFacts } from '../directory/gather-facts.ts';
import type { RenderPorts } from './render-ports.ts';
import { findPeopleToTell } from './who-hears.ts';

type Ports = Omit<RenderPorts, 'outputs' | 'activity'>;

/** Who gets a direct message about a request: whom the crew tells so, and those who want to be told at once. */
export async function findRecipients(
  ports: Ports,
  execution: Execution,
  approval: Approval,
  now: Millis,
): Promise<Recipients> {
  const [byPolicy, bySetting] = await Promise.all([
    ports.rulesOf(execution.crew).notify === 'dm' ? findPeopleToTell(ports, execution, approval) : [],
    findToldAtOnce(ports, execution, approval, now),
  ]);
  const told = (byPolicy ?? []).map((to): Recipient => ({ to, reason: 'policy' }));
  return { people: [...told, ...bySetting.people], isComplete: byPolicy !== null && bySetting.isComplete };
}

/** Who is told directly with a message that is posted: with a new card, and where others may decide than before. Null if nobody is. */
export async function newRecipients(
  ports: Ports,
  execution: Execution,
  message: Message,
  now: Millis,
): Promise<Recipients | null> {
  const approval =
    message.kind === 'card' || message.kind === 'alert' ? findApproval(execution, message.approvalId) : null;
  if (approval?.status !== 'pending' || !mayTellOthers(execution, approval, message)) return null;
  const found = await findRecipients(ports, execution, approval, now);
  return found.people.length === 0 && found.isComplete ? null : found;
}

function mayTellOthers(execution: Execution, approval: Approval, message: Message): boolean {
  if (message.kind === 'card') return approval.mentioned === null && approval.directMessages.status === 'listed';
  const kind = message.kind === 'alert' ? alertOf(execution, message)?.kind : undefined;
  return kind === 'escalation' || kind === 'named' || kind === 'reopened';
}

/** Slack isn't asked where nobody wants to be told at once. */
async function findToldAtOnce(
  ports: Ports,
  execution: Execution,
  approval: Approval,
  now: Millis,
): Promise<Recipients> {
  const settings = await ports.settings.all().catch(() => null);
  if (settings === null) return { people: [], isComplete: false };
  const people = [...settings].flatMap(([id, each]) => (isToldAtOnce(each, now) ? [id] : []));
  if (people.length === 0) return { people: [], isComplete: true };
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  if (policy === null) return { people: [], isComplete: false };
  const approvers = approversNow(policy, { isEscalated: approval.times.escalatedAt !== null });
  const { channel } = execution;
  const directory = { account: ports.accountInLists, membersOf: ports.membersOf };
  const [facts, insiders] = await Promise.all([
    gatherFacts(directory, {
      people: [...people, ...approval.votes.map(({ by }) => by.id), ...approval.handedOver.map(({ by }) => by.id)],
      approvers,
      starters: barredStarters(policy, starterOf(execution)?.id ?? null),
      channel,
    }),
    approvers.some(({ kind }) => kind === 'workspace') ? findInsiders(ports, channel) : ('all' as const),
  ]);
  return awaitedOf(people, { execution, approval }, { policy, facts, insiders, now });
}

/** Whom a request in a channel concerns that all of the workspace may decide: of a private channel, its members. */
async function findInsiders(ports: Ports, channel: string): Promise<ReadonlySet<string> | 'all' | null> {
  const isPublic = await ports.isPublic(channel);
  if (isPublic === null) return null;
  return isPublic ? 'all' : ports.membersOf({ kind: 'channel', name: 'channel' }, channel);
}
