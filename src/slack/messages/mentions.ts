import { type Account, type Denial, type Facts, NO_FACTS, permits } from '../../core/policy/permits.ts';
import { type Approver, approversUnder, everNamed, parseApprover, startersToKnow } from '../../core/policy/policy.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import { mayStillDecide, mentionsFor, unmentionedIds } from '../../core/request/alerts.ts';
import type { Message } from '../../core/state/message.ts';
import type { Recipient, Recipients } from '../../core/state/post.ts';
import { allVotes, type Discussion } from '../../core/state/request.ts';
import { gatherFacts, nonMembersOf, type SlackDirectory } from '../directory/directory.ts';
import { canBeNotified, HERE, type Mention, type NamedMention } from '../ui/person.ts';

/** Finds the mentions of a new message. A card that replaces a deleted one mentions nobody. */
export async function newMentions(
  directory: SlackDirectory,
  message: Message,
  rules: RequestRules | null,
): Promise<readonly Mention[]> {
  if (message.kind !== 'card' || rules?.request.discussion.mentioned !== null) return [];
  return findCardMentions(directory, rules);
}

/** Finds the mentions of a card that Slack would have reported if it had been posted before. */
export async function againMentions(
  directory: SlackDirectory,
  message: Message,
  rules: RequestRules | null,
): Promise<readonly Mention[]> {
  if (rules === null) return [];
  return rules.request.discussion.mentioned === null
    ? newMentions(directory, message, rules)
    : shownMentions(message, rules.request.discussion);
}

/** Returns the mentions that an update still shows. They notify nobody again. */
export function shownMentions({ kind }: Message, { mentioned }: Pick<Discussion, 'mentioned'>): readonly Mention[] {
  return kind === 'card' || kind === 'copy' ? (mentioned ?? []).flatMap(mentionOf) : [];
}

/** Finds the mention of each approver who can decide now, by the approver's name in the policy. */
export async function findApproverMentions(
  { mentionsOf }: Pick<SlackDirectory, 'mentionsOf'>,
  { policies }: RequestRules,
): Promise<ReadonlyMap<string, Mention>> {
  const approvers = approversUnder(policies);
  const entries = await Promise.all(
    approvers.filter(canBeNotified).map(async (approver) => {
      const [mention] = (await mentionsOf([approver])) ?? [];
      return mention === undefined ? [] : [[approver.name, mention] as const];
    }),
  );
  return new Map(entries.flat());
}

/** A card names at most this many people one by one. If the policy names more, it mentions none of them. */
const MOST_PEOPLE = 3;

/**
 * Returns the people whom a new card mentions: the people who should decide, if they are few, and the person who started the run, but nobody
 * who may not decide as a stranger, guest or starter. Groups and addresses that Slack can't look up are left out.
 */
async function findCardMentions(ports: SlackDirectory, rules: RequestRules): Promise<Mention[]> {
  if (rules.policies.length === 0 || !mentionsPeople(rules)) return [];
  const names = fewOf(mentionsFor(rules));
  const [targets, starter] = await Promise.all([findMentionTargets(ports, rules, names), findStarter(ports, rules)]);
  const mentions = targets?.filter(isMeantForSomebody).map(({ mention }) => mention) ?? names.flatMap(mentionOf);
  // The mention of a group reaches them, too.
  const others = starter.filter((id) => !targets?.some(({ people }) => people?.includes(id)));
  const all = [...mentions, ...others.flatMap(mentionOf), ...(isForChannel(rules) ? [HERE] : [])];
  return [...new Map(all.map((mention) => [mention.id, mention])).values()];
}

function mentionsPeople({ notify }: RequestRules): boolean {
  return notify === 'mention' || notify === 'channel';
}

function isForChannel({ notify, policies }: RequestRules): boolean {
  return notify === 'channel' && approversUnder(policies).some(({ kind }) => kind === 'channel');
}

function fewOf(names: readonly string[]): string[] {
  const isPerson = (name: string) => PEOPLE.includes(parseApprover(name)?.kind ?? 'workspace');
  const people = names.filter(isPerson);
  return names.filter((name) => !isPerson(name) || people.length <= MOST_PEOPLE);
}

const PEOPLE: readonly Approver['kind'][] = ['person', 'email'];

/** Returns the mention for a name that is the id of a person or group, or `@here`; nothing for other names. */
function mentionOf(name: string): Mention[] {
  const approver = parseApprover(name);
  if (name === HERE.id) return [HERE];
  return approver?.kind === 'person' || approver?.kind === 'group' ? [{ kind: approver.kind, id: approver.name }] : [];
}

/**
 * Returns the people whom a message mentions: the people it asks who may still decide the request and haven't voted, and groups in which
 * somebody may. Null if Slack can't tell who is asked.
 */
export async function findMentions(
  directory: SlackDirectory,
  rules: RequestRules,
  names: readonly string[],
): Promise<Mention[] | null> {
  const targets = await findMentionTargets(directory, rules, names);
  return targets?.filter(isMeantForSomebody).map(({ mention }) => mention) ?? null;
}

/** People whom a message asks and a mention doesn't reach. People beyond the limit are only counted. */
const MOST_OUTSIDE = 50;

/**
 * Returns the people who may decide and aren't in the channel, although the message mentions them, alone or in a group: a mention there
 * doesn't reach them (https://github.com/mozilla/experimenter/pull/14179).
 * @param others people whom it mentions besides, by their ids
 */
export async function findOutside(
  directory: SlackDirectory,
  rules: RequestRules,
  names: readonly string[],
  others: readonly string[] = [],
): Promise<Recipients> {
  const { channel } = rules.execution;
  const approvers = names.map(parseApprover).filter((approver) => approver !== null);
  const mentions = approvers.length === 0 ? [] : await directory.mentionsOf(approvers);
  const members = await Promise.all(
    (mentions ?? []).map(({ kind, id }) =>
      kind === 'person' ? [id] : directory.membersOf({ kind, name: id }, channel),
    ),
  );
  const excluded = unmentionedIds(rules);
  const all = new Set([...members.flatMap((each) => [...(each ?? [])]), ...others]);
  const people = [...all].filter((id) => !excluded.includes(id));
  const outside = await nonMembersOf(directory, people, channel);
  const judged = outside?.slice(0, MOST_OUTSIDE) ?? [];
  const facts = judged.length === 0 ? NO_FACTS : await factsToJudge(directory, rules, { people: judged, approvers });
  const awaited = judged.filter((id) => mayStillDecide(rules, facts, id));
  // The text of a request goes to nobody if Slack can't tell whether they may see it.
  const recipients = awaited.filter((id) => facts.accounts[id] !== null);
  return {
    people: recipients.map((to): Recipient => ({ to, reason: 'outside' })),
    untold: (outside?.length ?? 0) - judged.length,
    isComplete:
      mentions !== null && outside !== null && !members.includes(null) && recipients.length === awaited.length,
  };
}

/** Finds people who can decide and aren't in the card's channel, even if the card mentions nobody because they are many. */
export async function findOutsideOfCard(ports: SlackDirectory, rules: RequestRules): Promise<Recipients> {
  const isKnown = rules.policies.length > 0;
  if (!isKnown || !mentionsPeople(rules)) return { people: [], untold: 0, isComplete: isKnown };
  const starter = await findStarter(ports, rules);
  return findOutside(ports, rules, mentionsFor(rules), starter);
}

/** Returns the ids of the people whom `findMentions` mentions, without large groups. Null if Slack can't tell who they are. */
export async function findPeople(
  directory: SlackDirectory,
  rules: RequestRules,
  names: readonly string[],
): Promise<string[] | null> {
  const targets = await findMentionTargets(directory, rules, names);
  return targets && [...new Set(targets.flatMap(({ people }) => people ?? []))];
}

/** A person or group, and the people that a mention is meant for. Null if they are too many, or Slack can't tell. */
interface NotifiedByMention {
  mention: NamedMention;
  people: readonly string[] | null;
}

function isMeantForSomebody({ people }: NotifiedByMention): boolean {
  return people === null || people.length > 0;
}

async function findMentionTargets(
  directory: SlackDirectory,
  rules: RequestRules,
  names: readonly string[],
): Promise<NotifiedByMention[] | null> {
  const approvers = names.map(parseApprover).filter((approver) => approver !== null);
  if (approvers.length === 0) return [];
  const mentions = await directory.mentionsOf(approvers);
  if (mentions === null) return null;
  const { channel } = rules.execution;
  const people = await Promise.all(mentions.map((mention) => peopleBehind(directory, mention, channel)));
  const facts = await factsToJudge(directory, rules, { people: people.flatMap((each) => each ?? []), approvers });
  const isMeant = (id: string) => mayStillDecide(rules, facts, id);
  return mentions.map((mention, i) => ({ mention, people: people[i]?.filter(isMeant) ?? null }));
}

/** Finds the facts to judge people by these rules: about them, about voters, and about people in hand-overs. */
function factsToJudge(
  directory: SlackDirectory,
  { execution, request, policies, subject }: RequestRules,
  { people, approvers }: { people: readonly string[]; approvers: readonly Approver[] },
): Promise<Facts> {
  const givers = request.discussion.handedOver.map(({ by }) => by.id);
  const voters = allVotes(request.discussion).map(({ by }) => by.id);
  return gatherFacts(directory, {
    people: [...voters, ...givers, ...people],
    // People can take over a right only if the policy lets them, so the facts are about everybody it names.
    approvers: [...approvers, ...(givers.length > 0 ? policies.flatMap(everNamed) : [])],
    starters: policies.flatMap((policy) => startersToKnow(policy, subject.starterId)),
    channel: execution.channel,
  });
}

/** Judging the members of a larger group takes too many calls. */
const MOST_JUDGED = 50;

/** Returns the people whom a mention notifies; null if they are too many, or Slack can't tell. */
async function peopleBehind(
  directory: SlackDirectory,
  { kind, id }: NamedMention,
  channel: string,
): Promise<string[] | null> {
  if (kind === 'person') return [id];
  const members = await directory.membersOf({ kind, name: id }, channel);
  return members === null || members.size > MOST_JUDGED ? null : [...members];
}

/** Returns the id of the person who started the run, unless they may not decide it. */
export async function findStarter(
  directory: Pick<SlackDirectory, 'account'>,
  { policies, subject }: RequestRules,
): Promise<string[]> {
  const { starterId } = subject;
  const open = policies.filter(({ selfApproval }) => selfApproval);
  if (starterId === null || open.length === 0) return [];
  const account = await directory.account(starterId);
  // A full member may decide their own runs. An account that Slack can't look up isn't barred either.
  if (account === null || isFullMember(account)) return [starterId];
  const facts = { ...NO_FACTS, accounts: { [starterId]: account } };
  const verdicts = open.map((policy) => permits(policy, subject, starterId, facts));
  const areBarred = verdicts.every((permit) => permit.kind === 'denied' && isBarred(permit.denial));
  return areBarred ? [] : [starterId];
}

function isFullMember({ isBot, isDeactivated, isGuest, isStranger }: Account): boolean {
  return !(isBot || isDeactivated || isGuest || isStranger);
}

/** Returns true if a person may not decide because of who they are, rather than because the policy names others. */
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
    case 'no-delegation':
    case 'right-used':
    case 'no-token':
    case 'unsure':
      return false;
  }
}
