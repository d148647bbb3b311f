import { awaitedOf } from '../../core/inbox/judgement.ts';
import { notifiesAtOnce, type PersonSettingsStore } from '../../core/inbox/person-settings.ts';
import type { Crew } from '../../core/policy/crew.ts';
import { permitsByRules } from '../../core/policy/permits.ts';
import { type Approver, approversNow, approversUnder, askedAbout, startersToKnow } from '../../core/policy/policy.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import { mentionsFor } from '../../core/request/alerts.ts';
import { alertOf, directMessageOf, type Execution, starterOf } from '../../core/state/execution.ts';
import type { Message } from '../../core/state/message.ts';
import type { PostOutcome, Recipient, Recipients } from '../../core/state/post.ts';
import { type Alert, allVotes, decisionOf, type HumanRequest, type Person } from '../../core/state/request.ts';
import type { Millis } from '../../core/values/time.ts';
import { gatherFacts, type ListDirectory, nonMembersOf, type SlackDirectory } from '../directory/directory.ts';
import { findOutside, findOutsideOfCard, findPeople, findStarter } from './mentions.ts';

// Finds the people who get direct messages, and those whom a message in the channel doesn't reach. The thread asks with each
// new message.

/** Ports that finding the recipients of direct messages needs. */
export interface RecipientPorts extends SlackDirectory, ListDirectory {
  crews: ReadonlyMap<string, Crew>;
  settings: Pick<PersonSettingsStore, 'find' | 'all'>;
}

/**
 * Finds the people who get a direct message about a request: by the crew's rules, because a mention doesn't reach them, or because they want
 * to be notified at once.
 */
export async function findRecipients(ports: RecipientPorts, rules: RequestRules, now: Millis): Promise<Recipients> {
  const [byPolicy, outside, bySetting] = await Promise.all([
    rules.notify === 'dm' ? findPeopleByPolicy(ports, rules) : [],
    findOutsideOfCard(ports, rules),
    findPeopleBySetting(ports, rules, now),
  ]);
  const policyRecipients = (byPolicy ?? []).map((to): Recipient => ({ to, reason: 'policy' }));
  return {
    people: [...policyRecipients, ...outside.people, ...bySetting.people],
    untold: outside.untold,
    isComplete: byPolicy !== null && outside.isComplete && bySetting.isComplete,
  };
}

/** People whom a newly posted message doesn't reach in the channel. */
type Unreached = Pick<Extract<PostOutcome, { kind: 'posted' }>, 'recipients' | 'outside'>;

/** A message that is posted for the first time, with the rules of the request that it is about. */
interface NewMessage {
  execution: Execution;
  message: Message;
  rules: RequestRules | null;
  now: Millis;
}

/** Finds the people who are notified directly of a new card, alert or ending. */
export async function newRecipients(
  ports: RecipientPorts,
  { execution, message, rules, now }: NewMessage,
): Promise<Unreached> {
  switch (message.kind) {
    case 'card': {
      if (rules?.request.state.status !== 'pending') return {};
      const { mentioned, directMessages } = rules.request.discussion;
      if (mentioned !== null || directMessages.status !== 'listed') return {};
      const recipients = await findRecipients(ports, rules, now);
      return isNobody(recipients) ? {} : { recipients };
    }
    case 'alert':
      return rules ? recipientsOfAlert(ports, message, rules, now) : {};
    case 'ending': {
      const mentioned = await mentionedAtEnd(ports, execution);
      const ids = mentioned.map(({ id }) => id);
      const outside = await nonMembersOf(ports, ids, execution.channel);
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
  message: Extract<Message, { kind: 'alert' }>,
  rules: RequestRules,
  now: Millis,
): Promise<Unreached> {
  const { execution, request, policies } = rules;
  const alert = alertOf(execution, message);
  if (request.state.status !== 'pending' || alert === null || policies.length === 0) return {};
  if (alert.kind === 'undecidable')
    return { outside: (await nonMembersOf(ports, alert.mentions, execution.channel)) ?? [] };
  const letsOthersDecide = OTHERS_DECIDE.includes(alert.kind);
  const [mentioned, others] = await Promise.all([
    findOutside(ports, rules, alert.mentions),
    letsOthersDecide ? findRecipients(ports, rules, now) : NOBODY,
  ]);
  // If Slack can't tell now who is in the channel, people who weren't in it before are notified as well.
  const formerRecipients = request.discussion.directMessages.list.filter(({ reason }) => reason === 'outside');
  const outside = mentioned.isComplete ? mentioned.people : [...mentioned.people, ...formerRecipients];
  const recipients = {
    people: [...mentioned.people, ...others.people],
    untold: Math.max(mentioned.untold, others.untold),
    isComplete: mentioned.isComplete && others.isComplete,
  };
  return { outside: outside.map(({ to }) => to), ...(!isNobody(recipients) && { recipients }) };
}

/** Alerts after which other people may decide than before. */
const OTHERS_DECIDE: readonly Alert['kind'][] = ['escalation', 'stage'];

const NOBODY: Recipients = { people: [], untold: 0, isComplete: true };

function isNobody({ people, untold, isComplete }: Recipients): boolean {
  return people.length === 0 && untold === 0 && isComplete;
}

/** Finds the mentions of a run's ending: the starter, and the people who helped decide and asked to be notified. */
export async function mentionedAtEnd(
  { crews, settings }: Pick<RecipientPorts, 'crews' | 'settings'>,
  execution: Execution,
): Promise<Person[]> {
  const starter = crews.get(execution.crew)?.notifyStarter === false ? null : starterOf(execution);
  const chosen = await settings.all().catch(() => null);
  const deciders = execution.requests.flatMap(decidersOf).filter(({ id }) => chosen?.get(id)?.hearsEndings);
  const all = [...(starter ? [starter] : []), ...deciders];
  return [...new Map(all.map((person) => [person.id, person])).values()];
}

function decidersOf(request: HumanRequest): Person[] {
  const by = decisionOf(request)?.by;
  return [...allVotes(request.discussion).map((vote) => vote.by), ...(by ? [by] : [])];
}

/**
 * Returns the ids of the people whom `notify: dm` notifies: people whom a card would mention, and the members of small groups. Null if Slack
 * can't tell yet, or the crew isn't configured.
 */
async function findPeopleByPolicy(ports: SlackDirectory, rules: RequestRules): Promise<readonly string[] | null> {
  if (rules.policies.length === 0) return null;
  const [people, starter] = await Promise.all([
    findPeople(ports, rules, mentionsFor(rules)),
    findStarter(ports, rules),
  ]);
  return people && [...people, ...starter];
}

/** Finds the people who want to be notified at once. Asks Slack for nothing if there are none. */
async function findPeopleBySetting(ports: RecipientPorts, rules: RequestRules, now: Millis): Promise<Recipients> {
  const settings = await ports.settings.all().catch(() => null);
  if (settings === null) return { ...NOBODY, isComplete: false };
  const people = [...settings].flatMap(([id, each]) => (notifiesAtOnce(each, now) ? [id] : []));
  if (people.length === 0) return NOBODY;
  const { execution, request, policies, subject } = rules;
  if (policies.length === 0) return { ...NOBODY, isComplete: false };
  const { handedOver } = request.discussion;
  const { starterId } = subject;
  const approvers = policies.flatMap((policy) => askedAbout(policy, { handedOver }));
  const { channel } = execution;
  const directory = { account: ports.accountInLists, membersOf: ports.membersInLists };
  const [facts, insiders] = await Promise.all([
    gatherFacts(directory, {
      people: [...people, ...allVotes(request.discussion).map(({ by }) => by.id), ...handedOver.map(({ by }) => by.id)],
      approvers,
      starters: policies.flatMap((policy) => startersToKnow(policy, starterId)),
      channel,
    }),
    approvers.some(({ kind }) => kind === 'workspace') ? findInsiders(ports, channel, people) : ('all' as const),
  ]);
  return awaitedOf(people, rules, { facts, insiders });
}

/** Returns the people who can open a channel. Only its members can open a private one. Null if Slack can't tell. */
async function findInsiders(
  ports: Pick<ListDirectory, 'isPublic' | 'membersInLists'>,
  channel: string,
  people: readonly string[],
): Promise<ReadonlySet<string> | 'all' | null> {
  const isPublic = await ports.isPublic(channel);
  if (isPublic === null) return null;
  return isPublic ? 'all' : ports.membersInLists({ kind: 'channel', name: 'channel' }, channel, people);
}

/** Returns true if a person can open a link into a channel, or Slack can't tell. */
export async function canOpen(
  ports: Pick<ListDirectory, 'isPublic' | 'membersInLists'>,
  channel: string,
  person: string,
): Promise<boolean> {
  const insiders = await findInsiders(ports, channel, [person]);
  return insiders === null || insiders === 'all' || insiders.has(person);
}

/** Returns true if a person can decide only since a request was escalated. */
export async function isEscalatedTo(
  ports: Pick<RecipientPorts, 'membersInLists'>,
  { execution, policies }: RequestRules,
  to: string,
): Promise<boolean> {
  const escalated = policies.filter(({ isEscalated }) => isEscalated);
  if (escalated.length === 0) return false;
  const isAmong = async (approvers: readonly Approver[]) => {
    const checks = approvers.map(async (approver) => {
      if (approver.kind === 'workspace') return true;
      return (await ports.membersInLists(approver, execution.channel, [to]))?.has(to) ?? false;
    });
    return (await Promise.all(checks)).includes(true);
  };
  const before = policies.flatMap((policy) => approversNow({ ...policy, isEscalated: false }));
  return !(await isAmong(before)) && isAmong(escalated.flatMap(({ escalateTo }) => escalateTo));
}

/**
 * Returns true if a person decides a request only with a right that was lent to them. If Slack can't tell whether they have one of their
 * own, they count as having none.
 */
export async function hasLentRight(
  ports: Pick<RecipientPorts, 'accountInLists' | 'membersInLists'>,
  { execution, policies, subject }: RequestRules,
  to: string,
): Promise<boolean> {
  if (policies.length === 0 || !subject.handedOver.some((each) => each.to === to)) return false;
  const directory = { account: ports.accountInLists, membersOf: ports.membersInLists };
  const facts = await gatherFacts(directory, {
    people: [to],
    approvers: approversUnder(policies),
    starters: policies.flatMap((policy) => startersToKnow(policy, subject.starterId)),
    channel: execution.channel,
  });
  return policies.every((policy) => permitsByRules(policy, subject, to, facts).kind === 'denied');
}

/** Returns why a direct message isn't posted now: its person no longer wants it, or nobody can tell. Null if it is posted. */
export async function whyNotNow(
  { settings }: Pick<RecipientPorts, 'settings'>,
  execution: Execution,
  message: Extract<Message, { kind: 'direct-message' }>,
  now: Millis,
): Promise<Extract<PostOutcome, { kind: 'gone' | 'later' }> | null> {
  const direct = directMessageOf(execution, message);
  if (direct?.reason !== 'setting') return null;
  const chosen = await settings.find(direct.to).catch(() => null);
  if (chosen === null) return { kind: 'later', waitMs: null };
  return notifiesAtOnce(chosen, now) ? null : { kind: 'gone' };
}
