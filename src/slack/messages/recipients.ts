import { isAwaited, mentionsFor } from '../../core/approval/alerts.ts';
import type { Approval } from '../../core/approval/approval.ts';
import { subjectOf } from '../../core/approval/permission.ts';
import { type Denial, permits } from '../../core/approval/policy/evaluate.ts';
import {
  type Approver,
  approversNow,
  barredStarters,
  type Policy,
  parseApprover,
  policyFor,
} from '../../core/approval/policy/policy.ts';
import type { RulesOf } from '../../core/crew.ts';
import { type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import { awaitedOf } from '../../core/inbox/judgement.ts';
import { isToldAtOnce, quietUntil } from '../../core/inbox/person-settings.ts';
import { alertOf, directMessageOf, type Message } from '../../core/messages/message.ts';
import type { PostOutcome, Recipient, Recipients } from '../../core/messages/post.ts';
import type { Millis } from '../../core/time.ts';
import { gatherFacts, type SlackDirectory } from '../directory/directory.ts';
import type { Mention } from '../ui/person.ts';
import type { RenderPorts } from './render-ports.ts';

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

/** A card names at most this many people one by one; where the policy names more, it mentions none of them. */
const MOST_PEOPLE = 3;

interface MentionPorts extends SlackDirectory {
  rulesOf: RulesOf;
}

/**
 * Whom a new card mentions: those who should decide, if they are few, and the person who started the run, but nobody who may not
 * decide as a stranger, guest or starter. What Slack can't tell about groups and addresses leaves these out.
 */
async function findCardMentions(ports: MentionPorts, execution: Execution, approval: Approval): Promise<Mention[]> {
  const rules = ports.rulesOf(execution.crew);
  const policy = policyFor(rules.policy, approval);
  if (policy === null || (rules.notify ?? 'mention') !== 'mention') return [];
  const asked = fewOf(mentionsFor(execution, approval, policy));
  const [named, starter] = await Promise.all([
    findMentions(ports, execution, { approval, asked, policy }),
    findStarter(ports, execution, approval, policy),
  ]);
  const all = [...(named ?? asked.flatMap(mentionOf)), ...starter.flatMap(mentionOf)];
  return [...new Map(all.map((mention) => [mention.id, mention])).values()];
}

/** Whom a message mentions that is posted for the first time. A card that takes the place of another one mentions nobody. */
export async function newMentions(
  ports: MentionPorts,
  execution: Execution,
  message: Message,
): Promise<readonly Mention[]> {
  const approval = message.kind === 'card' ? findApproval(execution, message.approvalId) : null;
  return approval?.mentioned === null ? findCardMentions(ports, execution, approval) : [];
}

/** Whom an update still mentions, which notifies nobody again. */
export function shownMentions(execution: Execution, message: Message): readonly Mention[] {
  const isCard = message.kind === 'card' || message.kind === 'copy';
  const approval = isCard ? findApproval(execution, message.approvalId) : null;
  return (approval?.mentioned ?? []).flatMap(mentionOf);
}

/**
 * The ids of those whom `notify: dm` tells: the same people and the members of small groups. Null if Slack can't tell yet, or the
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

/** A mention of a person or group by the id that Slack has for it. */
function mentionOf(name: string): Mention[] {
  const approver = parseApprover(name);
  return approver?.kind === 'person' || approver?.kind === 'group' ? [{ kind: approver.kind, id: approver.name }] : [];
}

function fewOf(names: readonly string[]): string[] {
  const isPerson = (name: string) => PEOPLE.includes(parseApprover(name)?.kind ?? 'workspace');
  const people = names.filter(isPerson);
  return names.filter((name) => !isPerson(name) || people.length <= MOST_PEOPLE);
}

const PEOPLE: readonly Approver['kind'][] = ['person', 'email'];

/** The id of the person who started the run, whose own run it is, unless they may not decide it. */
async function findStarter(
  directory: SlackDirectory,
  execution: Execution,
  approval: Approval,
  policy: Policy,
): Promise<string[]> {
  const starter = starterOf(execution);
  if (!starter || !policy.selfApproval) return [];
  const facts = await gatherFacts(directory, { people: [starter.id], approvers: [], channel: execution.channel });
  // Whom the policy bars, it bars at any time.
  const permit = permits(policy, subjectOf(execution, approval, approval.askedAt), starter.id, facts);
  return permit.kind === 'denied' && isBarred(permit.denial) ? [] : [starter.id];
}

/** Whether a person may not decide for what they are, rather than because the policy names others. */
function isBarred({ kind }: Denial): boolean {
  switch (kind) {
    case 'stranger':
    case 'guest':
    case 'bot':
    case 'deactivated':
    case 'self-approval':
      return true;
    case 'not-approver':
    case 'giver-denied':
    case 'right-used':
    case 'no-token':
    case 'unsure':
      return false;
  }
}

/** A larger group is always mentioned as a whole: to judge its members takes a call for each, and their list would be long. */
const MOST_ONE_BY_ONE = 20;

/** Those who are asked about a request, as the policy names them. */
interface Asked {
  approval: Approval;
  asked: readonly string[];
  policy: Policy;
}

/** People and groups, each with those of its people who are meant; null where they are too many, or Slack can't tell. */
interface Meant {
  mention: Mention;
  people: readonly string[] | null;
  isWhole: boolean;
}

/**
 * Whom a message notifies: of those whom it asks, the ones who may still decide the request and haven't voted. A group that has
 * others, too, is mentioned one by one, as far as Slack can tell who is in it. Null if Slack can't tell who is asked.
 */
export async function findMentions(
  directory: SlackDirectory,
  execution: Execution,
  asked: Asked,
): Promise<Mention[] | null> {
  const found = await findMeant(directory, execution, asked);
  return (
    found?.flatMap(({ mention, people, isWhole }) =>
      people === null || isWhole ? [mention] : people.map((id): Mention => ({ kind: 'person', id })),
    ) ?? null
  );
}

/** The same, as the ids of people alone, without those of large groups. Null if Slack can't tell who they are. */
async function findPeople(directory: SlackDirectory, execution: Execution, asked: Asked): Promise<string[] | null> {
  const found = await findMeant(directory, execution, asked);
  return found && [...new Set(found.flatMap(({ people }) => people ?? []))];
}

async function findMeant(
  directory: SlackDirectory,
  execution: Execution,
  { approval, asked: names, policy }: Asked,
): Promise<Meant[] | null> {
  const asked = names.map(parseApprover).filter((approver) => approver !== null);
  const named = asked.length === 0 ? [] : await directory.mentionsOf(asked);
  if (named === null) return null;
  const { channel } = execution;
  const people = await Promise.all(named.map((mention) => peopleBehind(directory, mention, channel)));
  const givers = approval.handedOver.map(({ by }) => by.id);
  const voters = approval.votes.map(({ by }) => by.id);
  const known = [...voters, ...givers, ...people.flatMap((each) => each ?? [])];
  const starters = barredStarters(policy, starterOf(execution)?.id ?? null);
  const facts = await gatherFacts(directory, { people: known, approvers: asked, starters, channel });
  const isMeant = (id: string) => isAwaited(execution, approval, { policy, facts }, id);
  return named.map((mention, i) => {
    const meant = people[i]?.filter(isMeant) ?? null;
    return { mention, people: meant, isWhole: meant?.length === people[i]?.length };
  });
}

/** Those whom a mention notifies; null if they are too many, or Slack can't tell. */
async function peopleBehind(
  directory: SlackDirectory,
  { kind, id }: Mention,
  channel: string,
): Promise<string[] | null> {
  if (kind === 'person') return [id];
  const members = await directory.membersOf({ kind, name: id }, channel);
  return members === null || members.size > MOST_ONE_BY_ONE ? null : [...members];
}

/** People change their settings, and travel. */
const MOST_WAIT_MS = 30 * 60_000;

/** Why a direct message isn't posted now: its person has quiet hours, or no longer wants it. Null if it is. */
export async function whyNotNow(
  { settings, timeZoneOf }: Pick<RenderPorts, 'settings' | 'timeZoneOf'>,
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
