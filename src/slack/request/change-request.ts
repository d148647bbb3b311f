// Every click that changes an execution goes through `changeRequest`: it looks up facts about people, lets the policy judge them, and
// stores the change.

import { learnCopy, recheckClicked, recheckRequest } from '../../core/messages/delivery.ts';
import { type CardModel, cardModel } from '../../core/messages/view-models.ts';
import { APPROVAL_TEXT } from '../../core/policy/crew.ts';
import { policyHash } from '../../core/policy/document.ts';
import type { OnText, Permission, Permitted } from '../../core/policy/permission.ts';
import { everNamed, type Policy, type StagePolicy, startersToKnow } from '../../core/policy/policy.ts';
import { type Action, type Refusal, refusedFacts } from '../../core/policy/refusal.ts';
import { findRules } from '../../core/policy/rules.ts';
import type { ApprovalIntent } from '../../core/ports.ts';
import type { Choice } from '../../core/request/choice.ts';
import { decide, findDecidable } from '../../core/request/decide.ts';
import { answerGiven } from '../../core/state/answer.ts';
import { recordEvent } from '../../core/state/events.ts';
import { CHECK_SOON_MS, type Execution, findRequest, missCrew, starterOf } from '../../core/state/execution.ts';
import { postOf } from '../../core/state/message.ts';
import { allVotes, decisionOf, type Person, peopleBehind } from '../../core/state/request.ts';
import type { SignIn } from '../../core/state/sign-in.ts';
import type { Answer } from '../../core/values/input-field.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import type { Millis } from '../../core/values/time.ts';
import { gatherFacts } from '../directory/directory.ts';
import type { Click } from '../listening/click.ts';
import { type ListenerContext, refusalFacts } from '../listening/context.ts';
import type { RequestKey } from '../ui/button-value.ts';

/** A change that a person wants to make to a request or a run. */
export interface Change {
  /** Null if the button or modal carries none of our keys. Its `approvalId` is null for a change to the whole run. */
  key: RequestKey | { ref: string; approvalId: null } | null;
  action: Action;
  by: Person;
  /** Other people whom the change is about. */
  others?: readonly Person[];
  /** The clicked message. A card in the thread may be a copy that we don't know yet. */
  message?: Click['message'];
  /** Must ask the policy itself. It runs again if another change was stored first. */
  transition: (execution: Execution, conditions: Conditions) => Result<Execution, Refusal>;
}

export type ChangeContext = Pick<
  ListenerContext,
  'store' | 'directory' | 'rulesOf' | 'crews' | 'connectedTo' | 'recordRefusal' | 'requestId' | 'addToLog'
>;

/** The request and its text, the policy in force, and the facts about people that a transition judges by. */
interface Conditions extends Permission, OnText {
  approvalId: string;
  /** The chosen outcome, if the request offers some. */
  outcome?: string | undefined;
  /** The answer of others that is confirmed, if the request has fields. */
  answer?: Answer | undefined;
  now: Millis;
}

/**
 * Stores what a person does about a request or a run, or returns the reason why not. A refused attempt leaves an entry in the ledger.
 * Throws when the change can't be stored: don't ack then.
 */
export async function changeRequest(context: ChangeContext, change: Change): Promise<Result<Execution, Refusal>> {
  const { key, action, by } = change;
  const stored = key ? await changeStored(context, key, change) : refuse(await refusalWithoutRun(context, by));
  context.addToLog({ by: by.id, action, ref: key?.ref, approvalId: key?.approvalId ?? undefined });
  context.addToLog(stored.ok ? outcomeFacts(stored.value, change) : refusalFacts(stored.refusal));
  return stored;
}

/** Nobody reads faster. A click this soon was meant for the request that was in the same place before. */
const UNREAD_MS = 2_000;

/**
 * Approves without a note. `isUnread`: the window has only just shown the request, so that the approval was refused as too soon.
 * `isRepeated`: the same person had approved before, and nothing has changed. Throws where `changeRequest` does: don't ack then.
 */
export async function approve(
  context: ListenerContext,
  { key, by, message = null }: Pick<Change, 'by' | 'message'> & { key: RequestKey | null },
): Promise<{ stored: Result<Execution, Refusal>; isRepeated: boolean; isUnread: boolean }> {
  const { action, transition } = approvalBy(context, { by, note: null, review: 'unasked' });
  const openedAt = key?.openedAt;
  // The clocks of two processes may differ a little. If they differ by more, we can't tell.
  const isUnread = openedAt !== undefined && Math.abs(Date.now() - openedAt) < UNREAD_MS;
  let isRepeated = false;
  const stored = await changeRequest(context, {
    key,
    by,
    message,
    action,
    transition: (execution, conditions) => {
      const decided = transition(execution, conditions);
      isRepeated = decided.ok && decided.value === execution;
      return decided.ok && !isRepeated && isUnread ? refuse({ kind: 'too-soon', afterMs: 0 }) : decided;
    },
  });
  return { stored, isRepeated, isUnread };
}

/** `signIn`: the sign-in that the person has approved with. */
type ApprovalDetails = Pick<ApprovalIntent, 'by' | 'note' | 'review' | 'answer' | 'edited'> & { signIn?: SignIn };

/** Returns the change for an approval, perhaps with a note or of an edited text if the crew takes any. */
export function approvalBy(
  { crews }: Pick<ListenerContext, 'crews'>,
  { by, note, review, answer, edited, signIn }: ApprovalDetails,
): Pick<Change, 'by' | 'action' | 'transition'> {
  return {
    by,
    action: 'approve',
    transition: (execution, { approvalId, outcome, answer: confirmed, now, ...permission }) => {
      const text = note ?? approvalTextOf({ crews }, execution.crew);
      const choice: Choice = { verdict: 'approve', feedback: note, text, outcome, answer: answer ?? confirmed, edited };
      const decided = decide(execution, approvalId, { choice, by, review, signIn, ...permission }, now);
      const isAccepted = !decided.ok || takesNotes({ crews }, execution) || !hasText(decided.value, approvalId);
      return isAccepted ? decided : refuse({ kind: 'notes-not-taken' });
    },
  };
}

/** Returns true if an approval or one of its votes comes with a note or an edited text. */
function hasText(execution: Execution, approvalId: string): boolean {
  const request = findRequest(execution, approvalId);
  if (request === null) return false;
  return (
    request.question.edited !== null ||
    [...allVotes(request.discussion), decisionOf(request)].some((vote) => vote?.feedback != null)
  );
}

/** Returns the text that a crew receives with an approval without a note. */
export function approvalTextOf({ crews }: Pick<ListenerContext, 'crews'>, crew: string): string {
  return crews.get(crew)?.approvalText ?? APPROVAL_TEXT;
}

/** Returns true if the crew takes notes with approvals. Each change asks again: the button for a note may be older than the setting. */
export function takesNotes({ crews }: Pick<ListenerContext, 'crews'>, { crew, origin }: Execution): boolean {
  return origin.kind === 'ask' || crews.get(crew)?.approvalNotes !== false;
}

/** Returns the change for a rejection or a decline. */
export function rejection(
  by: Change['by'],
  choice: Exclude<Choice, { verdict: 'approve' }>,
): Pick<Change, 'by' | 'action' | 'transition'> {
  return {
    by,
    action: choice.verdict,
    transition: (execution, { approvalId, outcome, now, ...permission }) =>
      decide(execution, approvalId, { choice: { ...choice, outcome }, by, ...permission }, now),
  };
}

/** A request that a person can decide now. */
export interface DecidableRequest extends Permitted {
  card: CardModel & Pick<RequestKey, 'isRead' | 'choice' | 'inbox'>;
}

/** `secrets`: how many of them the person is shown. The ledger keeps the number. */
type Decision = Pick<Change, 'by' | 'action' | 'message'> & { key: RequestKey | null; secrets?: number };

/**
 * Returns the request if it is still open and the policy in force lets this person decide on the text that they were shown. Throws
 * where `changeRequest` does: don't ack then.
 */
export async function findDecidableRequest(
  context: ListenerContext,
  { key, by, action, message = null, secrets = 0 }: Decision,
): Promise<Result<DecidableRequest, Refusal>> {
  const permitted: Permitted[] = [];
  const stored = await changeRequest(context, {
    key,
    by,
    action,
    message,
    transition: (execution, { approvalId, ...conditions }) => {
      const decidable = findDecidable(execution, approvalId, { personId: by.id, ...conditions });
      if (!decidable.ok) return decidable;
      permitted.push(decidable.value);
      const facts = { approval: approvalId, by: by.id, secrets };
      return ok(secrets > 0 ? recordEvent(execution, { kind: 'revealed', at: conditions.now, facts }) : execution);
    },
  });
  if (!stored.ok) return stored;
  const execution = stored.value;
  const request = findRequest(execution, key?.approvalId ?? '');
  const last = permitted.at(-1);
  if (!request || !last) return refuse({ kind: 'unknown' });
  const card = { ...cardModel(execution, request), isRead: key?.isRead, choice: key?.choice, inbox: key?.inbox };
  return ok({ ...last, execution, request, card });
}

/**
 * Returns the request if this person could decide it now on this text, as far as Slack can tell, or the reason why not. Looking isn't
 * an attempt, so the ledger keeps nothing. Throws `StoreUnavailable`.
 */
export async function findIfDecidable(
  context: ListenerContext,
  { ref, approvalId, hash }: RequestKey,
): Promise<Result<Permitted, Refusal>> {
  const { store, person } = context;
  const record = await store.load(ref);
  if (!record) return refuse({ kind: 'unknown' });
  const { execution, now } = record;
  const permission = await findPermission(context, execution, [person.id]);
  return findDecidable(execution, approvalId, { personId: person.id, revision: hash, now, ...permission });
}

/** Other people may vote while facts are looked up, so that facts about them are needed, too. */
const MOST_LOOKUPS = 4;

/** A state of this age is good enough to know the people to ask Slack about. The change itself asks for facts that are missing. */
const RECENT_MS = 60_000;

/** Returns what is logged of a stored change. A vote has a verdict, too, while the request still waits for others. */
function outcomeFacts(execution: Execution, { key, action }: Change) {
  const request = findRequest(execution, key?.approvalId ?? '');
  const isVerdict = action === 'approve' || action === 'reject' || action === 'decline';
  const verdict = isVerdict
    ? action
    : request && 'decision' in request.state
      ? request.state.decision?.verdict
      : undefined;
  return { crew: execution.crew, verdict, status: request?.state.status };
}

async function changeStored(
  context: ChangeContext,
  key: NonNullable<Change['key']>,
  change: Change,
): Promise<Result<Execution, Refusal>> {
  const { store, recordRefusal, requestId } = context;
  const { by, action, others = [] } = change;
  let people = [by, ...others].map(({ id }) => id);
  for (let lookups = 1; ; lookups++) {
    const record = await store.load(key.ref, { mostAgeMs: lookups === 1 ? RECENT_MS : 0 });
    if (!record) return refuse(await refusalWithoutRun(context, by));
    const permission = await findPermission(context, record.execution, people);
    const isLast = lookups >= MOST_LOOKUPS;
    const changed = await store.change(key.ref, (execution, now) =>
      attempt(execution, { ...change, key, isLast }, { ...permission, now }),
    );
    switch (changed.kind) {
      case 'changed':
        return ok(changed.after);
      case 'unchanged':
        return ok(changed.execution);
      case 'absent':
        return refuse(await refusalWithoutRun(context, by));
      case 'refused': {
        const { refusal } = changed;
        if (refusal.kind === 'facts-needed') {
          people = [...people, ...refusal.people];
          break;
        }
        const policy = policyHash(permission.policy);
        const facts = refusedFacts({ approvalId: key.approvalId, action, by: by.id, refusal, policy });
        if (facts) await recordRefusal(key.ref, { facts, requestId });
        return refuse(refusal);
      }
    }
  }
}

/** One try to store a change. `isLast`: facts that are missing now won't be looked up any more. */
interface Attempt extends Change {
  key: NonNullable<Change['key']>;
  isLast: boolean;
}

/** The message that was clicked, as the card of a request. */
interface ClickedCard {
  approvalId: string;
  ts: string;
}

function attempt(
  execution: Execution,
  { key, by, message, transition, isLast }: Attempt,
  { now, ...permission }: Permission & { now: Millis },
) {
  const { approvalId } = key;
  const clicked = message && approvalId !== null ? { approvalId, ts: message.ts } : null;
  const isInThread = message?.channel === execution.channel;
  const isCopy = clicked && isInThread && !isCardOf(execution, clicked);
  const shownContent = key.approvalId === null ? { revision: null } : shownBy(execution, key);
  const result = transition(execution, { approvalId: approvalId ?? '', ...shownContent, now, ...permission });
  const isRepeated = clicked && result.ok && result.value === execution;
  const changed = isRepeated ? recheckClicked(execution, clicked, now) : result.ok ? result.value : execution;
  const withCopy = isCopy ? learnCopy(changed, clicked, now) : changed;
  if (result.ok) return ok(withCopy);
  const isUnsure = isLast && result.refusal.kind === 'facts-needed';
  const refusal = isUnsure ? unsureAbout(by) : result.refusal;
  const after = withTrueCard(withCopy, { approvalId, clicked, refusal }, now);
  return { ok: false, refusal, after } as const;
}

/** Returns true if the clicked message is the card that we know of. */
function isCardOf(execution: Execution, { approvalId, ts }: ClickedCard): boolean {
  const card = postOf(execution, { kind: 'card', approvalId });
  return card?.status === 'posted' && card.ts === ts;
}

/** Returns the text that the person was shown, and the outcome or answer that the button stands for. */
function shownBy(execution: Execution, key: RequestKey): Pick<Conditions, 'revision' | 'outcome' | 'answer'> {
  const { hash: revision, confirms } = key;
  const request = confirms === undefined ? null : findRequest(execution, key.approvalId);
  const answer = request && confirms !== undefined ? answerGiven(request.discussion, confirms) : undefined;
  return { revision, outcome: key.choice === undefined ? undefined : outcomeChosen(execution, key), answer };
}

/** Returns the chosen outcome. Never an outcome of the request if that doesn't offer it: '' then. */
export function outcomeChosen(execution: Execution, { approvalId, choice }: RequestKey): string | undefined {
  return choice === undefined ? undefined : (findRequest(execution, approvalId)?.question.outcomes?.[choice] ?? '');
}

/** Returns the execution with its cards to be rendered again if they offer what can't be done. */
function withTrueCard(
  execution: Execution,
  { approvalId, clicked, refusal }: { approvalId: string | null; clicked: ClickedCard | null; refusal: Refusal },
  now: Millis,
): Execution {
  const { kind } = refusal;
  if (kind === 'crew-missing') return missCrew(execution, now, CHECK_SOON_MS);
  // `no-decision`: a failover has lost the decision that the card offers to undo.
  if (kind === 'no-decision' || kind === 'other-text') return recheckRequest(execution, approvalId ?? '', now);
  const isOutdated =
    kind === 'already-decided' || kind === 'superseded' || kind === 'expired' || kind === 'no-delegation';
  return clicked && isOutdated ? recheckClicked(execution, clicked, now) : execution;
}

function unsureAbout({ id }: Person): Refusal {
  return { kind: 'denied', denial: { kind: 'unsure', personId: id, approver: null } };
}

/** Returns the refusal if there is no execution, and so no policy to ask. Strangers don't learn which requests exist. */
export async function refusalWithoutRun(
  { directory }: Pick<ListenerContext, 'directory'>,
  by: Person,
): Promise<Refusal> {
  const account = await directory.account(by.id);
  if (!account) return unsureAbout(by);
  return account.isStranger ? { kind: 'denied', denial: { kind: 'stranger' } } : { kind: 'unknown' };
}

/** Returns the policy in force for an execution, and the facts about people that it needs to judge them. */
export async function findPermission(
  context: Pick<ListenerContext, 'directory' | 'rulesOf' | 'crews' | 'connectedTo'>,
  execution: Execution,
  people: readonly string[],
): Promise<Permission> {
  const { directory, rulesOf, crews } = context;
  const rules = rulesOf(execution.crew);
  const now = Date.now();
  const policies: Policy[] = rules.policy === null ? [] : [rules.policy];
  const later: StagePolicy[] = [];
  for (const request of execution.requests) {
    const possible = findRules(rules, { execution, request, now }).policies;
    policies.push(...possible);
    // Waiting votes may count for the stages after the open one, once that is complete.
    if (request.discussion.votes.length > 0)
      later.push(...possible.flatMap(({ stages, stage }) => stages.slice(stage + 1)));
  }
  const starterId = starterOf(execution)?.id ?? null;
  const voterIds = execution.requests.flatMap(({ state: { status }, discussion: { votes, stages } }) =>
    status === 'pending' ? peopleBehind([...stages.flatMap((stage) => stage.votes), ...votes]) : [],
  );
  const giverIds = execution.requests.flatMap(({ state: { status }, discussion: { handedOver } }) =>
    status === 'pending' || status === 'decided' ? handedOver.map(({ by }) => by.id) : [],
  );
  const deciders = [...new Set([...people, ...voterIds, ...giverIds])];
  const [facts, connected] = await Promise.all([
    gatherFacts(directory, {
      people: deciders,
      approvers: [...policies, ...later].flatMap(everNamed),
      starters: policies.flatMap((each) => startersToKnow(each, starterId)),
      channel: execution.channel,
    }),
    crews.get(execution.crew)?.requireUserToken ? findConnected(context, execution.crew, deciders) : null,
  ]);
  return { ...rules, facts: { ...facts, connected } };
}

/** Returns those of these people who have connected a token of their own to the crew. Throws `StoreUnavailable`. */
async function findConnected(
  { connectedTo }: Pick<ListenerContext, 'connectedTo'>,
  crew: string,
  people: readonly string[],
): Promise<ReadonlySet<string>> {
  const areConnected = await Promise.all(people.map((id) => connectedTo(crew, id)));
  return new Set(people.filter((_, i) => areConnected[i]));
}
