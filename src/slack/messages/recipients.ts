import { mentionsFor } from '../../core/approval/alerts.ts';
import type { Approval } from '../../core/approval/approval.ts';
import { approversNow, barredStarters, policyFor } from '../../core/approval/policy/policy.ts';
import { type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import { awaitedOf } from '../../core/inbox/judgement.ts';
import { isToldAtOnce, type PersonSettingsStore, quietUntil } from '../../core/inbox/person-settings.ts';
import { alertOf, directMessageOf, type Message } from '../../core/messages/message.ts';
import type { PostOutcome, Recipient, Recipients } from '../../core/messages/post.ts';
import type { Millis } from '../../core/time.ts';
import type { People } from '../api/users.ts';
import { gatherFacts, type ListDirectory } from '../directory/directory.ts';
import { findPeople, findStarter, type MentionPorts } from './mentions.ts';

/** What finding the recipients of direct messages needs. */
export interface RecipientPorts extends MentionPorts, ListDirectory {
  settings: Pick<PersonSettingsStore, 'find' | 'all'>;
  timeZoneOf: People['timeZoneOf'];
}

/** Who gets a direct message about a request: those whom the crew tells so, and those who want to be told at once. */
export async function findRecipients(
  ports: RecipientPorts,
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

/** Who gets a direct message when a new card is posted, or an alert that lets others decide. Null if nobody does. */
export async function newRecipients(
  ports: RecipientPorts,
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

/**
 * The ids of those whom `notify: dm` tells: those whom a card would mention, and the members of small groups. Null if Slack can't tell yet, or the
 * crew isn't configured.
 */
async function findPeopleToTell(
  ports: MentionPorts,
  execution: Execution,
  approval: Approval,
): Promise<readonly string[] | null> {
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  if (policy === null) return null;
  const asked = mentionsFor(execution, approval, policy);
  const [people, starter] = await Promise.all([
    findPeople(ports, execution, { approval, asked, policy }),
    findStarter(ports, execution, approval, policy),
  ]);
  return people && [...people, ...starter];
}

/** Slack isn't asked where nobody wants to be told at once. */
async function findToldAtOnce(
  ports: RecipientPorts,
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
  const directory = { account: ports.accountInLists, membersOf: ports.membersInLists };
  const [facts, insiders] = await Promise.all([
    gatherFacts(directory, {
      people: [...people, ...approval.votes.map(({ by }) => by.id), ...approval.handedOver.map(({ by }) => by.id)],
      approvers,
      starters: barredStarters(policy, starterOf(execution)?.id ?? null),
      channel,
    }),
    approvers.some(({ kind }) => kind === 'workspace') ? findInsiders(ports, channel, people) : ('all' as const),
  ]);
  return awaitedOf(people, { execution, approval }, { policy, facts, insiders, now });
}

/** Which of some people a request that the whole workspace may decide concerns: in a private channel, only its members. */
async function findInsiders(
  ports: RecipientPorts,
  channel: string,
  people: readonly string[],
): Promise<ReadonlySet<string> | 'all' | null> {
  const isPublic = await ports.isPublic(channel);
  if (isPublic === null) return null;
  return isPublic ? 'all' : ports.membersInLists({ kind: 'channel', name: 'channel' }, channel, people);
}

/** When to look again at the latest: people change their settings, and travel. */
const MOST_WAIT_MS = 30 * 60_000;

/** Why a direct message isn't posted now: its person has quiet hours, or no longer wants it. Null if it is. */
export async function whyNotNow(
  { settings, timeZoneOf }: Pick<RecipientPorts, 'settings' | 'timeZoneOf'>,
  execution: Execution,
  message: Extract<Message, { kind: 'direct-message' }>,
  now: Millis,
): Promise<Extract<PostOutcome, { kind: 'gone' | 'later' }> | null> {
  const chosen = await settings.find(message.to).catch(() => null);
  if (chosen === null) return { kind: 'later', waitMs: null };
  const { reason } = directMessageOf(execution, message) ?? {};
  if (reason === 'setting' && !isToldAtOnce(chosen, now)) return { kind: 'gone' };
  if (chosen.quiet === null) return null;
  const timeZone = await timeZoneOf(message.to);
  if (timeZone === null) return { kind: 'later', waitMs: null };
  const until = quietUntil(chosen.quiet, now, timeZone);
  return until === null ? null : { kind: 'later', waitMs: Math.min(until - now, MOST_WAIT_MS) };
}
