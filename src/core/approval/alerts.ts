import { type Facts, isSamePerson, permits } from '../policy/evaluate.ts';
import type { PossibleRules } from '../policy/in-force.ts';
import { type Permission, whyOutside } from '../policy/permission.ts';
import { type Approver, approversNow, barredStarters, handOversUnder, quorumNow } from '../policy/policy.ts';
import { progressOn } from '../policy/progress.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
import { findRules, type RequestRules } from '../policy/rules.ts';
import {
  type Alert,
  type Approval,
  allVotes,
  type DirectMessage,
  type DirectMessages,
  type Person,
} from '../state/approval.ts';
import { type Execution, findApproval, withApproval } from '../state/execution.ts';
import { withNotices } from '../state/notices.ts';
import { duePost, type Recipient, type Recipients, tsOf } from '../state/post.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import { backoffMs, type Millis } from '../values/time.ts';

/** People are asked by others at most this often, for each request. */
const ASK_PAUSE_MS = 60 * 60_000;

/**
 * Asks those who may decide, on behalf of a member or guest of the workspace who may not. People of other organisations don't
 * learn who may, and bots ask nobody.
 */
export function askApprovers(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const outside = whyOutside(by.id, permission.facts);
  if (outside) return refuse(outside);
  const request = findApproval(execution, approvalId);
  if (!request) return refuse({ kind: 'unknown' });
  if (request.status !== 'pending') return refuse(whyClosed(request) ?? { kind: 'unknown' });
  const rules = findRules(permission, { execution, request, now });
  if (rules.policies.length === 0) return refuse({ kind: 'crew-missing', crew: execution.crew });
  if (request.undecidable?.isLeftToNobody) return refuse({ kind: 'nobody-left' });
  const { askedAgainAt } = request.times;
  if (askedAgainAt !== null && now < askedAgainAt + ASK_PAUSE_MS)
    return refuse({ kind: 'asked-lately', at: askedAgainAt });
  const asked = withAlert(request, { kind: 'ask', by, mentions: mentionsFor(rules) }, now);
  return ok(withApproval(execution, { ...asked, times: { ...asked.times, askedAgainAt: now } }));
}

/**
 * A new alert is due. Earlier ones that were posted, or no longer can be, are forgotten, as is a reminder, a change of the text or
 * the end of a stage that Slack hasn't taken before the next one: people are mentioned once then.
 */
export function withAlert<Each extends Approval>(
  approval: Each,
  alert: Pick<Alert, 'kind' | 'by' | 'mentions'>,
  now: Millis,
): Each {
  const { alerts } = approval;
  const id = String(Math.max(0, ...alerts.map((each) => Number(each.id))) + 1);
  const isOutdone = ({ kind, post }: Alert) =>
    (kind === 'reminder' || kind === 'stage' || kind === 'edited') && alert.kind === kind && post.status === 'due';
  const kept = alerts.filter((each, i) => !isOutdone(each) && (i === alerts.length - 1 || !isOver(each.post.status)));
  return { ...approval, alerts: [...kept, { id, ...alert, post: duePost(now) }] };
}

function isOver(status: Alert['post']['status']): boolean {
  return status === 'posted' || status === 'gone';
}

/** Those whose approval is of use and who haven't voted, but for those whom the policy doesn't name one by one or as a group. */
export function mentionsFor(rules: RequestRules): string[] {
  const { request, policies } = rules;
  const named = policies.flatMap((policy) => [
    ...approversOfUse(policy, request),
    ...handOversUnder([policy], request.handedOver).map(({ to }): Approver => ({ kind: 'person', name: to.id })),
  ]);
  return mentionsAmong(named, passedOver(rules));
}

/** Where one person each of several has to approve, those who have are out of it. */
function approversOfUse(policy: PossibleRules, request: Approval): readonly Approver[] {
  const named = approversNow(policy);
  if (policy.allOf.length === 0) return named;
  const { missing, lacking } = progressOn(policy, request);
  const needed = [...missing, ...(lacking > 0 ? quorumNow(policy) : [])].map(({ name }) => name);
  return named.filter(({ name }) => needed.includes(name));
}

/** The same of these approvers alone. */
export function mentionsAmong(approvers: readonly Approver[], out: readonly string[]): string[] {
  const named = approvers.filter(({ kind }) => kind !== 'channel' && kind !== 'workspace').map(({ name }) => name);
  return [...new Set(named)].filter((name) => !out.includes(name));
}

/** The ids (or addresses) of those who aren't mentioned although the policy names them: they have voted, or may not decide their own run. */
export function passedOver({ request, policies, subject }: RequestRules): string[] {
  const starters = policies.map((policy) => barredStarters(policy, subject.starterId).map(({ name }) => name));
  // Whom one of the rules bars, another may need.
  const barred = starters.reduce((all, names) => all.filter((name) => names.includes(name)), starters[0] ?? []);
  return [...barred, ...allVotes(request).map(({ by }) => by.id)];
}

/** Whether a person may still decide a request and hasn't voted. Who can't be told from what Slack says isn't left out. */
export function isAwaited(rules: RequestRules, facts: Facts, personId: string): boolean {
  if (passedOver(rules).some((id) => isSamePerson(id, personId, facts))) return false;
  return rules.policies.some((policy) => {
    const permit = permits(policy, rules.subject, personId, facts);
    return permit.kind === 'permitted' || permit.denial.kind === 'unsure';
  });
}

const RETRY = { firstMs: 2_000, mostMs: 5 * 60_000 };

/** After more than an hour, what Slack can't tell isn't worth asking for any more. */
const MOST_TRIES = 20;

/** When it is to be found out who gets direct messages; null if that isn't needed, or there is no card to link to yet. */
export function recipientsDueAt({ unfollowed }: Execution, { status, card, directMessages }: Approval): Millis | null {
  const isAsked = status === 'pending' && unfollowed === null && tsOf(card) !== null;
  return isAsked && directMessages.status === 'due' ? directMessages.notBefore : null;
}

/** Lists the direct messages that were due to be, and asks again later while Slack can't tell of everybody. */
export function listRecipients(
  execution: Execution,
  approvalId: string,
  { people, untold, isComplete }: Recipients,
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (approval?.directMessages.status !== 'due') return execution;
  const { tries, ...due } = approval.directMessages;
  const list = withMore(due.list, people, now);
  const isOver = isComplete || tries + 1 >= MOST_TRIES;
  const notBefore = now + backoffMs(tries, RETRY);
  const directMessages: DirectMessages = isOver
    ? { status: 'listed', list }
    : { status: 'due', tries: tries + 1, notBefore, list };
  return withApproval(execution, { ...approval, directMessages, untold: Math.max(approval.untold, untold) });
}

/** These people, too, get a direct message about an open request, but nobody a second one. */
export function addRecipients(
  execution: Execution,
  approvalId: string,
  { people, untold, isComplete }: Recipients,
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (approval?.status !== 'pending') return execution;
  const { directMessages } = approval;
  const list = withMore(directMessages.list, people, now);
  const added = { ...approval, untold: Math.max(approval.untold, untold) };
  if (directMessages.status === 'listed' && !isComplete) {
    const due: DirectMessages = { status: 'due', tries: 0, notBefore: now + RETRY.firstMs, list };
    return withApproval(execution, { ...added, directMessages: due });
  }
  if (list === directMessages.list && added.untold === approval.untold) return execution;
  return withApproval(execution, { ...added, directMessages: { ...directMessages, list } });
}

/** Who is mentioned in vain, and has the card already, is told again. */
export function alertOutside(
  execution: Execution,
  { approvalId, alertId }: { approvalId: string; alertId: string },
  outside: readonly string[],
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  const alert = approval?.alerts.find(({ id }) => id === alertId);
  if (!approval || !alert) return execution;
  const told = approval.directMessages.list.filter(({ to, post }) => outside.includes(to) && tsOf(post) !== null);
  const about = { kind: 'alert', approvalId, alert: alert.kind, by: alert.by } as const;
  const people = alert.kind === 'undecidable' ? outside : told.map(({ to }) => to);
  return { ...execution, notices: withNotices(execution.notices, people, about, now) };
}

/** One to each person; the same list if nobody is new. */
function withMore(
  list: readonly DirectMessage[],
  recipients: readonly Recipient[],
  now: Millis,
): readonly DirectMessage[] {
  const known = new Set(list.map(({ to }) => to));
  const added = recipients.filter(({ to }) => !known.has(to) && known.add(to));
  if (added.length === 0) return list;
  return [...list, ...added.map((each) => ({ ...each, channel: null, post: duePost(now) }))];
}
