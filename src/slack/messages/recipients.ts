import { mentionsFor } from '../../core/approval/alerts.ts';
import type { Alert, Approval, Person } from '../../core/approval/approval.ts';
import { policyFor } from '../../core/approval/policy/in-force.ts';
import { type Approver, approversNow, askedAbout, startersToKnow } from '../../core/approval/policy/policy.ts';
import { allVotes } from '../../core/approval/progress.ts';
import type { Crew } from '../../core/crew.ts';
import { askedIn, type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import { awaitedOf } from '../../core/inbox/judgement.ts';
import { isToldAtOnce, type PersonSettingsStore } from '../../core/inbox/person-settings.ts';
import { alertOf, directMessageOf, type Message } from '../../core/messages/message.ts';
import type { PostOutcome, Recipient, Recipients } from '../../core/messages/post.ts';
import type { Millis } from '../../core/time.ts';
import { gatherFacts, type ListDirectory, outsideOf } from '../directory/directory.ts';
import { findOutside, findOutsideOfCard, findPeople, findStarter, type MentionPorts } from './mentions.ts';

/** What finding the recipients of direct messages needs. */
export interface RecipientPorts extends MentionPorts, ListDirectory {
  crews: ReadonlyMap<string, Crew>;
  settings: Pick<PersonSettingsStore, 'find' | 'all'>;
}

/**
 * Who gets a direct message about a request: those whom the crew tells so, those whom a mention doesn't reach, and those who want to be
 * told at once.
 */
export async function findRecipients(
  ports: RecipientPorts,
  execution: Execution,
  approval: Approval,
  now: Millis,
): Promise<Recipients> {
  const [byPolicy, outside, bySetting] = await Promise.all([
    ports.rulesOf(execution.crew).notify === 'dm' ? findPeopleToTell(ports, execution, approval) : [],
    findOutsideOfCard(ports, execution, approval),
    findToldAtOnce(ports, execution, approval, now),
  ]);
  const told = (byPolicy ?? []).map((to): Recipient => ({ to, reason: 'policy' }));
  return {
    people: [...told, ...outside.people, ...bySetting.people],
    untold: outside.untold,
    isComplete: byPolicy !== null && outside.isComplete && bySetting.isComplete,
  };
}

/** What a message that has just been posted means for those who aren't told by it. */
type Untold = Pick<Extract<PostOutcome, { kind: 'posted' }>, 'recipients' | 'outside'>;

/** Who hears of a newly posted message directly: of a card, an alert, or the end of the run. */
export async function newRecipients(
  ports: RecipientPorts,
  execution: Execution,
  message: Message,
  now: Millis,
): Promise<Untold> {
  switch (message.kind) {
    case 'card': {
      const approval = findApproval(execution, message.approvalId);
      const isFirst = approval?.mentioned === null && approval.directMessages.status === 'listed';
      if (approval?.status !== 'pending' || !isFirst) return {};
      const recipients = await findRecipients(ports, execution, approval, now);
      return isNobody(recipients) ? {} : { recipients };
    }
    case 'alert':
      return recipientsOfAlert(ports, execution, message, now);
    case 'ending': {
      const mentioned = await mentionedAtEnd(ports, execution);
      const ids = mentioned.map(({ id }) => id);
      const outside = await outsideOf(ports, ids, execution.channel);
      return outside === null ? {} : { outside };
    }
    case 'root':
    case 'copy':
    case 'follow-up':
    case 'direct-message':
    case 'notice':
    case 'file':
    case 'task':
      return {};
  }
}

async function recipientsOfAlert(
  ports: RecipientPorts,
  execution: Execution,
  message: Extract<Message, { kind: 'alert' }>,
  now: Millis,
): Promise<Untold> {
  const approval = findApproval(execution, message.approvalId);
  const alert = alertOf(execution, message);
  const policy = approval && policyFor(ports.rulesOf(execution.crew).policy, askedIn(execution, approval));
  if (approval?.status !== 'pending' || alert === null || policy === null) return {};
  const letsOthersDecide = OTHERS_DECIDE.includes(alert.kind);
  const [mentioned, others] = await Promise.all([
    findOutside(ports, execution, { approval, asked: alert.mentions, policy }),
    letsOthersDecide ? findRecipients(ports, execution, approval, now) : NOBODY,
  ]);
  // Where Slack can't tell, those who weren't in the channel before are told.
  const known = approval.directMessages.list.filter(({ reason }) => reason === 'outside');
  const outside = mentioned.isComplete ? mentioned.people : [...mentioned.people, ...known];
  const recipients = {
    people: [...mentioned.people, ...others.people],
    untold: Math.max(mentioned.untold, others.untold),
    isComplete: mentioned.isComplete && others.isComplete,
  };
  return { outside: outside.map(({ to }) => to), ...(!isNobody(recipients) && { recipients }) };
}

/** After these, others may decide than before. */
const OTHERS_DECIDE: readonly Alert['kind'][] = ['escalation', 'named', 'reopened', 'stage'];

const NOBODY: Recipients = { people: [], untold: 0, isComplete: true };

function isNobody({ people, untold, isComplete }: Recipients): boolean {
  return people.length === 0 && untold === 0 && isComplete;
}

/** Whom the end of a run mentions: the starter, and of those who helped decide, the ones who have asked for it. */
export async function mentionedAtEnd(
  { crews, settings }: Pick<RecipientPorts, 'crews' | 'settings'>,
  execution: Execution,
): Promise<Person[]> {
  const starter = crews.get(execution.crew)?.notifyStarter === false ? null : starterOf(execution);
  const chosen = await settings.all().catch(() => null);
  const deciders = execution.approvals.flatMap(decidersOf).filter(({ id }) => chosen?.get(id)?.hearsEndings);
  const all = [...(starter ? [starter] : []), ...deciders];
  return [...new Map(all.map((person) => [person.id, person])).values()];
}

function decidersOf(approval: Approval): Person[] {
  const by = 'decision' in approval ? approval.decision?.by : null;
  return [...allVotes(approval).map((vote) => vote.by), ...(by ? [by] : [])];
}

/**
 * The ids of those whom `notify: dm` tells: those whom a card would mention, and the members of small groups. Null if Slack can't
 * tell yet, or the crew isn't configured.
 */
async function findPeopleToTell(
  ports: MentionPorts,
  execution: Execution,
  approval: Approval,
): Promise<readonly string[] | null> {
  const policy = policyFor(ports.rulesOf(execution.crew).policy, askedIn(execution, approval));
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
  if (settings === null) return { ...NOBODY, isComplete: false };
  const people = [...settings].flatMap(([id, each]) => (isToldAtOnce(each, now) ? [id] : []));
  if (people.length === 0) return NOBODY;
  const policy = policyFor(ports.rulesOf(execution.crew).policy, askedIn(execution, approval));
  if (policy === null) return { ...NOBODY, isComplete: false };
  const { handedOver, times } = approval;
  const approvers = askedAbout(policy, { handedOver, isEscalated: times.escalatedAt !== null });
  const { channel } = execution;
  const directory = { account: ports.accountInLists, membersOf: ports.membersInLists };
  const [facts, insiders] = await Promise.all([
    gatherFacts(directory, {
      people: [...people, ...allVotes(approval).map(({ by }) => by.id), ...handedOver.map(({ by }) => by.id)],
      approvers,
      starters: startersToKnow(policy, starterOf(execution)?.id ?? null),
      channel,
    }),
    approvers.some(({ kind }) => kind === 'workspace') ? findInsiders(ports, channel, people) : ('all' as const),
  ]);
  return awaitedOf(people, { execution, approval }, { policy, facts, insiders, now });
}

/** Which of some people can open a channel: of a private one, only its members. Null where Slack can't tell. */
async function findInsiders(
  ports: Pick<ListDirectory, 'isPublic' | 'membersInLists'>,
  channel: string,
  people: readonly string[],
): Promise<ReadonlySet<string> | 'all' | null> {
  const isPublic = await ports.isPublic(channel);
  if (isPublic === null) return null;
  return isPublic ? 'all' : ports.membersInLists({ kind: 'channel', name: 'channel' }, channel, people);
}

/** Whether a link into a channel leads a person there. Where Slack can't tell, it may. */
export async function canOpen(
  ports: Pick<ListDirectory, 'isPublic' | 'membersInLists'>,
  channel: string,
  person: string,
): Promise<boolean> {
  const insiders = await findInsiders(ports, channel, [person]);
  return insiders === null || insiders === 'all' || insiders.has(person);
}

/** Whether a person can decide only since a request was escalated. */
export async function isEscalatedTo(
  ports: Pick<RecipientPorts, 'rulesOf' | 'membersInLists'>,
  execution: Execution,
  { approval, to }: { approval: Approval; to: string },
): Promise<boolean> {
  const policy = policyFor(ports.rulesOf(execution.crew).policy, askedIn(execution, approval));
  if (policy === null || approval.times.escalatedAt === null) return false;
  const isAmong = async (approvers: readonly Approver[]) => {
    const found = approvers.map(async (approver) => {
      if (approver.kind === 'workspace') return true;
      return (await ports.membersInLists(approver, execution.channel, [to]))?.has(to) ?? false;
    });
    return (await Promise.all(found)).includes(true);
  };
  return !(await isAmong(approversNow(policy, { isEscalated: false }))) && isAmong(policy.escalateTo);
}

/** Why a direct message isn't posted now: its person no longer wants it, or nobody can tell whether they do. Null if it is. */
export async function whyNotNow(
  { settings }: Pick<RecipientPorts, 'settings'>,
  execution: Execution,
  message: Message,
  now: Millis,
): Promise<Extract<PostOutcome, { kind: 'gone' | 'later' }> | null> {
  const direct = message.kind === 'direct-message' ? directMessageOf(execution, message) : null;
  if (direct?.reason !== 'setting') return null;
  const chosen = await settings.find(direct.to).catch(() => null);
  if (chosen === null) return { kind: 'later', waitMs: null };
  return isToldAtOnce(chosen, now) ? null : { kind: 'gone' };
}
