// How a click changes an execution: the facts about people are looked up, the policy judges them, the change is stored.

import type { Choice } from '../../core/approval/choice.ts';
import { decide, findDecidable } from '../../core/approval/decide.ts';
import { learnCopy, recheckClicked, recheckRequest } from '../../core/messages/delivery.ts';
import { type CardModel, cardModel } from '../../core/messages/view-models.ts';
import { APPROVAL_TEXT } from '../../core/policy/crew.ts';
import { policyHash } from '../../core/policy/document.ts';
import type { OnText, Permission, Permitted } from '../../core/policy/permission.ts';
import { everNamed, type Policy, type StagePolicy, startersToKnow } from '../../core/policy/policy.ts';
import { type Action, type Refusal, refusedFacts } from '../../core/policy/refusal.ts';
import { findRules } from '../../core/policy/rules.ts';
import type { WantedApproval } from '../../core/ports.ts';
import { answerGiven } from '../../core/state/answer.ts';
import { allVotes, decisionOf, type Person, peopleBehind } from '../../core/state/approval.ts';
import { recordEvent } from '../../core/state/events.ts';
import { CHECK_SOON_MS, type Execution, findApproval, missCrew, starterOf } from '../../core/state/execution.ts';
import { postOf } from '../../core/state/message.ts';
import type { SignIn } from '../../core/state/sign-in.ts';
import type { Answer } from '../../core/values/input-field.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import type { Millis } from '../../core/values/time.ts';
import { gatherFacts } from '../directory/directory.ts';
import type { Click } from '../listening/click.ts';
import { type ListenerContext, refusalFacts } from '../listening/context.ts';
import type { ApprovalKey } from '../ui/button-value.ts';

/** What a person wants to change about a request or a run. */
export interface Change {
  /** Null if the button or modal doesn't carry one of our keys. `approvalId` is null for what concerns the whole run. */
  key: ApprovalKey | { ref: string; approvalId: null } | null;
  action: Action;
  by: Person;
  /** Other people whom the change is about. */
  others?: readonly Person[];
  /** The clicked message: a card in the thread may be a copy that we don't know yet. */
  message?: Click['message'];
  /** Has to ask the policy itself; runs again if another change was stored first. */
  transition: (execution: Execution, conditions: Conditions) => Result<Execution, Refusal>;
}

/** What a change takes besides. */
export type ChangeContext = Pick<
  ListenerContext,
  'store' | 'directory' | 'rulesOf' | 'crews' | 'connectedTo' | 'recordRefusal' | 'requestId' | 'addToLog'
>;

/** What a transition goes by: the request and its text, the policy in force, the facts about people, and the time. */
interface Conditions extends Permission, OnText {
  approvalId: string;
  /** What was chosen of the outcomes that the request offers. */
  outcome?: string | undefined;
  /** The answer of others that is confirmed, where the request has fields. */
  answer?: Answer | undefined;
  now: Millis;
}

/**
 * Stores what a person does about a request or a run, or says why not; an attempt that is refused leaves an entry in the ledger.
 * The only way in which a click changes an execution. Throws when it can't be stored: don't ack then.
 */
export async function changeRequest(context: ChangeContext, change: Change): Promise<Result<Execution, Refusal>> {
  const { key, action, by } = change;
  const stored = key ? await changeStored(context, key, change) : refuse(await unknownTo(context, by));
  context.addToLog({ by: by.id, action, ref: key?.ref, approvalId: key?.approvalId ?? undefined });
  context.addToLog(stored.ok ? outcomeFacts(stored.value, change) : refusalFacts(stored.refusal));
  return stored;
}

/** Nobody reads faster: a click this soon was meant for the request that stood in the same place before. */
const UNREAD_MS = 2_000;

/** Whether a request has taken the place of another in a window only just now. Where clocks differ by more, nobody can tell. */
function hasJustOpened(openedAt: Millis, now: Millis): boolean {
  return Math.abs(now - openedAt) < UNREAD_MS;
}

/**
 * Approves without a note, and is refused where that comes too soon; `isUnread` says whether because the window has only just
 * shown the request. Throws where `changeRequest` does: don't ack then.
 */
export async function approve(
  context: ListenerContext,
  { key, by, message = null }: Pick<Change, 'by' | 'message'> & { key: ApprovalKey | null },
): Promise<{ stored: Result<Execution, Refusal>; isRepeated: boolean; isUnread: boolean }> {
  const approved = approvalBy(context, { by, note: null, review: 'unasked' });
  const openedAt = key?.openedAt;
  const isUnread = openedAt !== undefined && hasJustOpened(openedAt, Date.now());
  // The same person had approved it before, so that nothing changes.
  let isRepeated = false;
  const stored = await changeRequest(context, {
    key,
    by,
    message,
    action: approved.action,
    transition: (execution, conditions) => {
      const decided = approved.transition(execution, conditions);
      isRepeated = decided.ok && decided.value === execution;
      return decided.ok && !isRepeated && isUnread ? refuse({ kind: 'too-soon', afterMs: 0 }) : decided;
    },
  });
  return { stored, isRepeated, isUnread };
}

/** How a person approves, and by which sign-in if they have signed in for that. */
type Given = Pick<WantedApproval, 'by' | 'note' | 'review' | 'answer' | 'edited'> & { signIn?: SignIn };

/** An approval, perhaps with a note or of an edited text, for crews that take any. */
export function approvalBy(
  { crews }: Pick<ListenerContext, 'crews'>,
  { by, note, review, answer, edited, signIn }: Given,
): Pick<Change, 'by' | 'action' | 'transition'> {
  return {
    by,
    action: 'approve',
    transition: (execution, { approvalId, outcome, answer: confirmed, now, ...permission }) => {
      const text = note ?? approvalTextOf({ crews }, execution.crew);
      const choice: Choice = { verdict: 'approve', feedback: note, text, outcome, answer: answer ?? confirmed, edited };
      const decided = decide(execution, approvalId, { choice, by, review, signIn, ...permission }, now);
      const isTaken = !decided.ok || takesNotes({ crews }, execution) || !hasText(decided.value, approvalId);
      return isTaken ? decided : refuse({ kind: 'notes-not-taken' });
    },
  };
}

/** Whether an approval, or any of its votes, comes with a note or an edited text. */
function hasText(execution: Execution, approvalId: string): boolean {
  const approval = findApproval(execution, approvalId);
  if (approval === null) return false;
  const approvals = [...allVotes(approval), decisionOf(approval)];
  return approval.edited !== null || approvals.some((each) => each !== null && each.feedback !== null);
}

/** What a crew receives with an approval without a note. */
export function approvalTextOf({ crews }: Pick<ListenerContext, 'crews'>, crew: string): string {
  return crews.get(crew)?.approvalText ?? APPROVAL_TEXT;
}

/** Asked again with each change: the button that asks for a note may be older than the setting that takes none. */
export function takesNotes({ crews }: Pick<ListenerContext, 'crews'>, { crew, origin }: Execution): boolean {
  return origin.kind === 'ask' || crews.get(crew)?.approvalNotes !== false;
}

/** A rejection or a decline. */
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

/** A request that a person can decide now, by which rule of which policy, and with whose right. */
export interface DecidableRequest extends Permitted {
  card: CardModel & Pick<ApprovalKey, 'isRead' | 'choice' | 'inbox'>;
}

/**
 * The request, if it is still open and the policy in force lets this person decide it on the text that they were shown. Throws
 * where `changeRequest` does: don't ack then.
 */
export async function findDecidableRequest(
  context: ListenerContext,
  {
    key,
    by,
    action,
    message = null,
    secrets = 0,
  }: {
    key: ApprovalKey | null;
    by: Person;
    action: Action;
    message?: Click['message'];
    /** How many of its text the person is shown, which the ledger says. */
    secrets?: number;
  },
): Promise<Result<DecidableRequest, Refusal>> {
  const permitted: Permitted[] = [];
  const found = await changeRequest(context, {
    key,
    by,
    action,
    message,
    transition: (execution, { approvalId, ...conditions }) => {
      const decidable = findDecidable(execution, approvalId, { personId: by.id, ...conditions });
      if (decidable.ok) permitted.push(decidable.value);
      const facts = { approval: approvalId, by: by.id, secrets };
      const told = secrets > 0 ? recordEvent(execution, { kind: 'revealed', at: conditions.now, facts }) : execution;
      return unchangedIf(decidable, told);
    },
  });
  if (!found.ok) return found;
  const execution = found.value;
  const request = findApproval(execution, key?.approvalId ?? '');
  const last = permitted.at(-1);
  if (!request || !last) return refuse({ kind: 'unknown' });
  const card = { ...cardModel(execution, request), isRead: key?.isRead, choice: key?.choice, inbox: key?.inbox };
  return ok({ ...last, execution, request, card });
}

/**
 * The request, if this person could decide it now on this text, as far as Slack can tell, or why they couldn't. To look isn't an
 * attempt, so that nothing is recorded. Throws `StoreUnavailable`.
 */
export async function findIfDecidable(
  context: ListenerContext,
  { ref, approvalId, hash }: ApprovalKey,
): Promise<Result<Permitted, Refusal>> {
  const { store, person } = context;
  const found = await store.load(ref);
  if (!found) return refuse({ kind: 'unknown' });
  const { execution, now } = found;
  const permission = await findPermission(context, execution, [person.id]);
  return findDecidable(execution, approvalId, { personId: person.id, revision: hash, now, ...permission });
}

/** For a transition that only asks whether something could be done: the execution as it is, or the refusal. */
export function unchangedIf<Refused>(
  result: Result<unknown, Refused>,
  execution: Execution,
): Result<Execution, Refused> {
  return result.ok ? ok(execution) : result;
}

/** Others may vote while facts are looked up, so that facts about them are needed, too. */
const MOST_LOOKUPS = 4;

/** A known state of this age still says about whom to ask Slack; the change itself asks for facts that are missing. */
const RECENT_MS = 60_000;

/** What is logged of a change that is stored. A vote has a verdict, too, while the request still waits for others. */
function outcomeFacts(execution: Execution, { key, action }: Change) {
  const request = findApproval(execution, key?.approvalId ?? '');
  const decision = request && 'decision' in request ? request.decision : null;
  const isVerdict = action === 'approve' || action === 'reject' || action === 'decline';
  const verdict = isVerdict ? action : decision?.verdict;
  return { crew: execution.crew, verdict, status: request?.status };
}

async function changeStored(
  context: ChangeContext,
  key: NonNullable<Change['key']>,
  { by, others = [], ...change }: Change,
): Promise<Result<Execution, Refusal>> {
  const { store } = context;
  let people = [by, ...others].map(({ id }) => id);
  for (let lookups = 1; ; lookups++) {
    const found = await store.load(key.ref, { mostAgeMs: lookups === 1 ? RECENT_MS : 0 });
    if (!found) return refuse(await unknownTo(context, by));
    const permission = await findPermission(context, found.execution, people);
    const isLast = lookups >= MOST_LOOKUPS;
    const changed = await store.change(key.ref, (execution, now) =>
      attempt(execution, { ...change, key, by, isLast }, { ...permission, now }),
    );
    switch (changed.kind) {
      case 'changed':
        return ok(changed.after);
      case 'unchanged':
        return ok(changed.execution);
      case 'absent':
        return refuse(await unknownTo(context, by));
      case 'refused':
        if (changed.refusal.kind !== 'facts-needed') {
          await recordRefused(context, key, {
            refusal: changed.refusal,
            action: change.action,
            by,
            policy: permission.policy,
          });
          return refuse(changed.refusal);
        }
        people = [...people, ...changed.refusal.people];
    }
  }
}

/** Puts a refused attempt into the ledger. */
async function recordRefused(
  { recordRefusal, requestId }: ChangeContext,
  { ref, approvalId }: NonNullable<Change['key']>,
  { refusal, action, by, policy }: { refusal: Refusal; action: Action; by: Person; policy: Permission['policy'] },
): Promise<void> {
  const facts = refusedFacts({ approvalId, action, by: by.id, refusal, policy: policyHash(policy) });
  if (facts) await recordRefusal(ref, { facts, requestId });
}

/** One try to store a change, by the facts that are known. */
interface Attempt extends Change {
  key: NonNullable<Change['key']>;
  /** Facts that are missing now won't be looked up any more. */
  isLast: boolean;
}

/** The message that was clicked, as a card of a request. */
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
  const revision = key.approvalId === null ? null : key.hash;
  const clicked = message && approvalId !== null ? { approvalId, ts: message.ts } : null;
  const isInThread = message?.channel === execution.channel;
  const isCopy = clicked && isInThread && !isCardOf(execution, clicked);
  const withCopy = (each: Execution) => (isCopy ? learnCopy(each, clicked, now) : each);
  const outcome = key.approvalId === null || key.choice === undefined ? undefined : outcomeChosen(execution, key);
  const answer = key.approvalId === null ? undefined : answerConfirmed(execution, key);
  const chosen = { outcome, answer };
  const result = transition(execution, { approvalId: approvalId ?? '', revision, ...chosen, now, ...permission });
  if (result.ok) {
    const isRepeated = clicked && result.value === execution;
    return ok(withCopy(isRepeated ? recheckClicked(execution, clicked, now) : result.value));
  }
  const isUnsure = isLast && result.refusal.kind === 'facts-needed';
  const refusal = isUnsure ? unsureAbout(by) : result.refusal;
  return {
    ok: false,
    refusal,
    after: withTrueCard(withCopy(execution), { approvalId, clicked, refusal }, now),
  } as const;
}

/** Whether the clicked message is the card that a request is known to have. */
function isCardOf(execution: Execution, { approvalId, ts }: ClickedCard): boolean {
  const card = postOf(execution, { kind: 'card', approvalId });
  return card?.status === 'posted' && card.ts === ts;
}

/** The execution with its cards to be rendered again where they offer what can't be done. */
function withTrueCard(
  execution: Execution,
  { approvalId, clicked, refusal }: { approvalId: string | null; clicked: ClickedCard | null; refusal: Refusal },
  now: Millis,
): Execution {
  switch (refusal.kind) {
    case 'already-decided':
    case 'superseded':
    case 'expired':
    case 'no-delegation':
      return clicked ? recheckClicked(execution, clicked, now) : execution;
    case 'no-decision':
      // A failover has lost the decision that the card offers to undo.
      return recheckRequest(execution, approvalId ?? '', now);
    case 'other-text':
      return recheckRequest(execution, approvalId ?? '', now);
    case 'crew-missing':
      return missCrew(execution, now, CHECK_SOON_MS);
    case 'unknown':
    case 'denied':
    case 'facts-needed':
    case 'nobody-left':
    case 'too-soon':
    case 'sign-in-needed':
    case 'feedback-missing':
    case 'reason-missing':
    case 'note-missing':
    case 'feedback-not-taken':
    case 'notes-not-taken':
    case 'outcome-needed':
    case 'other-outcome':
    case 'answer-needed':
    case 'other-answer':
    case 'nothing-to-send':
    case 'no-vote':
    case 'cannot-take-over':
    case 'lent-right':
    case 'asked-lately':
      return execution;
  }
}

/** One that the request never offered is none of its outcomes, whatever it offers. */
export function outcomeChosen(execution: Execution, { approvalId, choice }: ApprovalKey): string | undefined {
  return choice === undefined ? undefined : (findApproval(execution, approvalId)?.outcomes?.[choice] ?? '');
}

function answerConfirmed(execution: Execution, { approvalId, confirms }: ApprovalKey): Answer | undefined {
  const request = confirms === undefined ? null : findApproval(execution, approvalId);
  return request && confirms !== undefined ? answerGiven(request, confirms) : undefined;
}

function unsureAbout({ id }: Person): Refusal {
  return { kind: 'denied', denial: { kind: 'unsure', personId: id, approver: null } };
}

/** Why nothing can be done where there is no execution, and no policy to ask; strangers don't learn which requests exist. */
export async function unknownTo({ directory }: Pick<ListenerContext, 'directory'>, by: Person): Promise<Refusal> {
  const account = await directory.account(by.id);
  if (!account) return unsureAbout(by);
  return account.isStranger ? { kind: 'denied', denial: { kind: 'stranger' } } : { kind: 'unknown' };
}

/** What it takes to judge people by the policy of an execution's crew: the policy in force, and the facts about them. */
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
  for (const request of execution.approvals) {
    const possible = findRules(rules, { execution, request, now }).policies;
    policies.push(...possible);
    // Votes that wait may count for the stages after the open one, once that is complete.
    if (request.votes.length > 0) later.push(...possible.flatMap(({ stages, stage }) => stages.slice(stage + 1)));
  }
  const starterId = starterOf(execution)?.id ?? null;
  const voterIds = execution.approvals.flatMap(({ status, votes, stages }) =>
    status === 'pending' ? peopleBehind([...stages.flatMap((stage) => stage.votes), ...votes]) : [],
  );
  const giverIds = execution.approvals.flatMap(({ status, handedOver }) =>
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

/** Which of these people have connected a token of their own to the crew. Throws `StoreUnavailable`. */
async function findConnected(
  { connectedTo }: Pick<ListenerContext, 'connectedTo'>,
  crew: string,
  people: readonly string[],
): Promise<ReadonlySet<string>> {
  const areConnected = await Promise.all(people.map((id) => connectedTo(crew, id)));
  return new Set(people.filter((_, i) => areConnected[i]));
}
