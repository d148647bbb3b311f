// Notifying the people who can decide: mentions under a card ("alerts") and direct messages. Timers, the *Ask the approvers* button
// and changes of the text add alerts; the worker posts them and lists who gets a direct message.

import type { PossibleRules } from '../policy/in-force.ts';
import { type Permission, reasonNotMember } from '../policy/permission.ts';
import { type Facts, isSamePerson, permits } from '../policy/permits.ts';
import { type Approver, approversNow, barredStarters, handOversUnder, quorumNow } from '../policy/policy.ts';
import { progressOn } from '../policy/progress.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
import { findRules, type RequestRules } from '../policy/rules.ts';
import { type Execution, findRequest, withRequest } from '../state/execution.ts';
import {
  addMessages,
  cardTsOf,
  type Message,
  messageOfAlert,
  postOf,
  tsOf,
  withoutMessages,
} from '../state/message.ts';
import { withNotices } from '../state/notices.ts';
import { duePost, isOver, type Recipient, type Recipients } from '../state/post.ts';
import {
  type Alert,
  allVotes,
  type DirectMessage,
  type DirectMessages,
  type HumanRequest,
  type Person,
} from '../state/request.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import { backoffMs, type Millis } from '../values/time.ts';

/** A person can ask the approvers of a request at most this often. */
const ASK_PAUSE_MS = 60 * 60_000;

/**
 * Asks the people who can decide, on behalf of a member or guest of the workspace who can't. People of other organisations don't
 * learn who can, and bots ask nobody.
 */
export function askApprovers(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const notMember = reasonNotMember(by.id, permission.facts);
  if (notMember) return refuse(notMember);
  const request = findRequest(execution, approvalId);
  if (!request) return refuse({ kind: 'unknown' });
  if (request.state.status !== 'pending') return refuse(whyClosed(request) ?? { kind: 'unknown' });
  const rules = findRules(permission, { execution, request, now });
  if (rules.policies.length === 0) return refuse({ kind: 'crew-missing', crew: execution.crew });
  if (request.discussion.undecidable?.isLeftToNobody) return refuse({ kind: 'nobody-left' });
  const { askedAgainAt } = request.discussion.times;
  if (askedAgainAt !== null && now < askedAgainAt + ASK_PAUSE_MS)
    return refuse({ kind: 'asked-lately', at: askedAgainAt });
  const repeated = {
    ...request,
    discussion: { ...request.discussion, times: { ...request.discussion.times, askedAgainAt: now } },
  };
  return ok(withAlert(execution, repeated, { kind: 'ask', by, mentions: mentionsFor(rules) }, now).execution);
}

/**
 * Adds an alert that is due. Drops earlier ones whose post is over, except the newest: new ids are counted from it. Also drops a
 * waiting alert of the same kind that the new one makes superfluous, so that people are mentioned once.
 */
export function withAlert<Each extends HumanRequest>(
  execution: Execution,
  request: Each,
  alert: Omit<Alert, 'id'>,
  now: Millis,
): { execution: Execution; request: Each } {
  const { alerts } = request.discussion;
  const messageOf = (each: Alert) => messageOfAlert(request, each);
  const added = { id: String(Math.max(0, ...alerts.map((each) => Number(each.id))) + 1), ...alert };
  const remaining = alerts.filter((each, i) => {
    const post = postOf(execution, messageOf(each));
    const isOutdone = OUTDONE.includes(each.kind) && each.kind === alert.kind && post?.status === 'due';
    const isNewest = i === alerts.length - 1;
    return !isOutdone && (isNewest || !isOver(post));
  });
  const alerted = { ...request, discussion: { ...request.discussion, alerts: [...remaining, added] } };
  const dropped = alerts.filter((each) => !remaining.includes(each)).map(messageOf);
  const posts = addMessages(withoutMessages(execution, dropped), [messageOf(added)], duePost(now));
  return { execution: withRequest(posts, alerted), request: alerted };
}

/** Kinds of alerts of which only the latest one matters. */
const OUTDONE: readonly Alert['kind'][] = ['reminder', 'stage', 'edited'];

/** Returns the approvers whose vote is still of use, except channels and the whole workspace, which aren't mentioned. */
export function mentionsFor(rules: RequestRules): string[] {
  const { request, policies } = rules;
  const approvers = policies.flatMap((policy) => [
    ...approversOfUse(policy, request),
    ...handOversUnder([policy], request.discussion.handedOver).map(
      ({ to }): Approver => ({ kind: 'person', name: to.id }),
    ),
  ]);
  return mentionsAmong(approvers, unmentionedIds(rules));
}

/** Returns the approvers whose vote the progress still lacks: leaves out those whose seat of `all_of` is taken. */
function approversOfUse(policy: PossibleRules, request: HumanRequest): readonly Approver[] {
  const approvers = approversNow(policy);
  if (policy.allOf.length === 0) return approvers;
  const { missing, lacking } = progressOn(policy, request.discussion);
  const needed = [...missing, ...(lacking > 0 ? quorumNow(policy) : [])].map(({ name }) => name);
  return approvers.filter(({ name }) => needed.includes(name));
}

/** Returns the names of these approvers that a message can mention, without `excluded`. */
export function mentionsAmong(approvers: readonly Approver[], excluded: readonly string[]): string[] {
  const names = approvers.filter(({ kind }) => kind !== 'channel' && kind !== 'workspace').map(({ name }) => name);
  return [...new Set(names)].filter((name) => !excluded.includes(name));
}

/** Returns the ids (or addresses) of approvers who aren't mentioned: they have voted, or may not decide their own run. */
export function unmentionedIds({ request, policies, subject }: RequestRules): string[] {
  const starters = policies.map((policy) => barredStarters(policy, subject.starterId).map(({ name }) => name));
  // A person whom one of the rules bars may be needed by another.
  const barred = starters.reduce((all, names) => all.filter((name) => names.includes(name)), starters[0] ?? []);
  return [...barred, ...allVotes(request.discussion).map(({ by }) => by.id)];
}

/** Returns true if a person may still decide a request and hasn't voted, also where Slack can't tell whether they may. */
export function mayStillDecide(rules: RequestRules, facts: Facts, personId: string): boolean {
  if (unmentionedIds(rules).some((id) => isSamePerson(id, personId, facts))) return false;
  return rules.policies.some((policy) => {
    const permit = permits(policy, rules.subject, personId, facts);
    return permit.kind === 'permitted' || permit.denial.kind === 'unsure';
  });
}

const RETRY = { firstMs: 2_000, mostMs: 5 * 60_000 };

/** These tries last more than an hour with `RETRY`. */
const MOST_TRIES = 20;

/** Returns when to look up who gets direct messages; null if that isn't needed, or there is no card to link to yet. */
export function recipientsDueAt(execution: Execution, request: HumanRequest): Millis | null {
  const { status } = request.state;
  const { directMessages } = request.discussion;
  const isAsked = status === 'pending' && execution.unfollowed === null && cardTsOf(execution, request) !== null;
  return isAsked && directMessages.status === 'due' ? directMessages.notBefore : null;
}

/**
 * Stores the recipients of direct messages, and asks again later while Slack can't name all of them. `untold`: the number of people
 * who get no direct message, because there are too many.
 */
export function listRecipients(
  execution: Execution,
  approvalId: string,
  { people, untold, isComplete }: Recipients,
  now: Millis,
): Execution {
  const request = findRequest(execution, approvalId);
  if (request?.discussion.directMessages.status !== 'due') return execution;
  const { tries, ...due } = request.discussion.directMessages;
  const added = newRecipients(due.list, people);
  const list = [...due.list, ...added];
  const isDone = isComplete || tries + 1 >= MOST_TRIES;
  const notBefore = now + backoffMs(tries, RETRY);
  const directMessages: DirectMessages = isDone
    ? { status: 'listed', list }
    : { status: 'due', tries: tries + 1, notBefore, list };
  const listed = {
    ...request,
    discussion: { ...request.discussion, directMessages, untold: Math.max(request.discussion.untold, untold) },
  };
  return withRequest(addDirectMessages(execution, approvalId, added, now), listed);
}

/** Adds recipients of direct messages about an open request. Nobody gets a second one. */
export function addRecipients(
  execution: Execution,
  approvalId: string,
  { people, untold, isComplete }: Recipients,
  now: Millis,
): Execution {
  const request = findRequest(execution, approvalId);
  if (request?.state.status !== 'pending') return execution;
  const { directMessages } = request.discussion;
  const added = newRecipients(directMessages.list, people);
  const isDueAgain = directMessages.status === 'listed' && !isComplete;
  const mostUntold = Math.max(request.discussion.untold, untold);
  if (!isDueAgain && added.length === 0 && mostUntold === request.discussion.untold) return execution;
  const list = [...directMessages.list, ...added];
  const listed: DirectMessages = isDueAgain
    ? { status: 'due', tries: 0, notBefore: now + RETRY.firstMs, list }
    : { ...directMessages, list };
  const after = { ...request, discussion: { ...request.discussion, untold: mostUntold, directMessages: listed } };
  return withRequest(addDirectMessages(execution, approvalId, added, now), after);
}

/**
 * Sends a notice to people whom an alert mentions but who aren't in the channel, if they got the card as a direct message. If nobody
 * can decide the request (`undecidable`), all of them get it: the alert mentions the starter, who has no such card.
 */
export function alertOutside(
  execution: Execution,
  { approvalId, alertId }: { approvalId: string; alertId: string },
  outside: readonly string[],
  now: Millis,
): Execution {
  const request = findRequest(execution, approvalId);
  const alert = request?.discussion.alerts.find(({ id }) => id === alertId);
  if (!request || !alert) return execution;
  const hasCard = ({ to }: DirectMessage) =>
    tsOf(postOf(execution, { kind: 'direct-message', approvalId, to })) !== null;
  const notified = request.discussion.directMessages.list.filter((each) => outside.includes(each.to) && hasCard(each));
  const about = { kind: 'alert', approvalId, alert: alert.kind, by: alert.by } as const;
  return withNotices(execution, alert.kind === 'undecidable' ? outside : notified.map(({ to }) => to), about, now);
}

/** Returns direct messages to those people who aren't listed yet, one for each. */
function newRecipients(list: readonly DirectMessage[], recipients: readonly Recipient[]): DirectMessage[] {
  const listed = new Set(list.map(({ to }) => to));
  return recipients
    .filter(({ to }) => !listed.has(to) && listed.add(to))
    .map((recipient) => ({ ...recipient, channel: null }));
}

function addDirectMessages(
  execution: Execution,
  approvalId: string,
  added: readonly DirectMessage[],
  now: Millis,
): Execution {
  const messages = added.map(({ to }): Message => ({ kind: 'direct-message', approvalId, to }));
  return addMessages(execution, messages, duePost(now));
}
