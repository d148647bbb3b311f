import type { CrewRules } from '../../src/core/policy/crew-rules.ts';
import type { OnText, Permission } from '../../src/core/policy/permission.ts';
import type { Account, Facts } from '../../src/core/policy/permits.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../src/core/policy/policy.ts';
import { claimedBy } from '../../src/core/state/claim.ts';
import type { Post } from '../../src/core/state/post.ts';
import {
  type Alert,
  type Attempt,
  type Decision,
  type DirectMessage,
  type DirectMessages,
  type Discussion,
  type HumanRequest,
  NO_TIMES,
  type Output,
  type Person,
  type Question,
  type RequestIn,
  type RequestState,
  type SentDecision,
  type Vote,
} from '../../src/core/state/request.ts';
import type { InputField } from '../../src/core/values/input-field.ts';

export const MARIA: Person = { id: 'U_MARIA', name: 'Maria' };
export const JON: Person = { id: 'U_JON', name: 'Jon' };

/** A full member of the workspace. */
export function account(id: string, change: Partial<Account> = {}): Account {
  const member = { identities: [id], isBot: false, isDeactivated: false, isGuest: false, isStranger: false };
  return { ...member, ...change };
}

export function facts(accounts: Record<string, Account | null>, change: Partial<Facts> = {}): Facts {
  return { accounts, members: {}, connected: null, ...change };
}

export const MEMBERS: Facts = facts({ [MARIA.id]: account(MARIA.id), [JON.id]: account(JON.id) });
/** The policy is known. */
export type WithPolicy<Known> = Known & { policy: CrewPolicy };

/** What a transition is given for these members, who were shown the text of `pending()`. */
export const PERMITTED: WithPolicy<Permission & OnText> = {
  policy: DEFAULT_POLICY,
  facts: MEMBERS,
  revision: output('first draft').hash,
};

/** What a transition is given for a full member of the workspace, whom the usual policy permits everything. */
export function permittedTo(by: Person): WithPolicy<Permission & OnText> & { by: Person } {
  return { ...PERMITTED, facts: facts({ ...MEMBERS.accounts, [by.id]: account(by.id) }), by };
}

/** The text of a request, as the person was shown it who acts on it. */
export function textOf({ requests }: { requests: readonly HumanRequest[] }, approvalId: string): OnText {
  return { revision: requests.find(({ id }) => id === approvalId)?.question.output.hash ?? null };
}

/** Everybody is from another organisation. */
export const STRANGER: Permission & OnText = {
  ...PERMITTED,
  policy: DEFAULT_POLICY,
  facts: facts({
    [MARIA.id]: account(MARIA.id, { isStranger: true }),
    [JON.id]: account(JON.id, { isStranger: true }),
  }),
};

/** The rules of a crew without its own. */
export const RULES: WithPolicy<CrewRules> = { policy: DEFAULT_POLICY, hours: null };

/** When everything in the builders happened, unless they are told otherwise. */
export const START = 1_000_000;

type With<Status extends RequestState['status']> = RequestIn<Status> & RequestPosts;

/** A text of this name; two outputs of one name are the same text. */
export function output(name: string, length = 10): Output {
  return { hash: `hash of ${name}`, length };
}

export function decision(change: Partial<SentDecision> = {}): SentDecision {
  const approved = {
    verdict: 'approve',
    feedback: null,
    text: 'Approved.',
    by: MARIA,
    at: START,
    ownTokenOnly: false,
  } as const;
  return { ...approved, ...change };
}

export function rejection(change: Partial<SentDecision> = {}): SentDecision {
  return decision({ verdict: 'reject', feedback: 'shorter', text: 'shorter', ...change });
}

/** A decline that the crew isn't told. */
export function finalNo(change: Partial<Decision> = {}): Decision {
  return { ...decision(), verdict: 'decline', feedback: 'wrong product', text: null, ...change };
}

/** The first attempt, which may have arrived. */
export function attempt(change: Partial<Attempt> = {}): Attempt {
  return { number: 1, hop: 1, mayHaveArrived: true, ...change };
}

export function posted(change: Partial<Extract<Post, { status: 'posted' }>> = {}): Post {
  return { status: 'posted', ts: '100.1', shown: '', tries: 0, notBefore: START, ...change };
}

/** The posts of a request, which `execution` puts into its map of messages. Its card is posted where they say nothing else. */
export interface RequestPosts {
  card?: Post;
  copies?: readonly { ts: string; post: Post }[];
  followUp?: Post;
  file?: Post;
}

/** Fields of any part of a request, and its posts. */
type Change<Status extends RequestState['status']> = RequestPosts & {
  id?: string;
  alerts?: (Alert & { post?: Post })[];
  directMessages?: DirectMessages | { status: 'listed'; list: readonly (DirectMessage & { post?: Post })[] };
} & Partial<Question & Omit<Discussion, 'alerts' | 'directMessages'> & RequestIn<Status>['state']>;

const QUESTION: Question = {
  taskId: 'draft',
  taskName: 'Draft',
  isTitled: false,
  round: 1,
  output: output('first draft'),
  edited: null,
  heading: 'First draft',
  outcomes: null,
  destination: null,
  limitMs: null,
  requestId: null,
  fields: null,
  why: null,
  inputs: null,
  hop: 0,
  kickoffId: 'k1',
  askedAt: START,
  repeatsRound: null,
  isConfirmedRepeat: false,
  keepsText: false,
};

const DISCUSSION: Discussion = {
  votes: [],
  stages: [],
  takenBack: 0,
  retractions: [],
  handedOver: [],
  alerts: [],
  mentioned: null,
  directMessages: { status: 'listed', list: [] },
  untold: 0,
  times: NO_TIMES,
  judging: null,
  undecidable: null,
};

/** A request in this state. Each field of the change goes into its part. */
function request<Status extends RequestState['status']>(
  state: With<Status>['state'],
  { id = '1', ...change }: Change<Status>,
): With<Status> {
  const { card, copies, followUp, file } = change;
  const parts = {
    question: within(QUESTION, change),
    state: within(state, change),
    discussion: within(DISCUSSION, change),
  };
  const posts = {
    ...(card && { card }),
    ...(copies && { copies }),
    ...(followUp && { followUp }),
    ...(file && { file }),
  };
  return { id, ...parts, ...posts } as With<Status>;
}

/** A part with those fields of the change that it has. */
function within<Part extends object>(part: Part, change: object): Part {
  const fields = Object.entries(change).filter(([name]) => name in part);
  return { ...part, ...Object.fromEntries(fields) };
}

export function pending(change: Change<'pending'> = {}): With<'pending'> {
  return request({ status: 'pending' }, change);
}

export function decided(change: Change<'decided'> = {}): With<'decided'> {
  const call = { attempts: [], tries: 0, delayedBy: null, giveUpAt: null, sendAt: START, undoUntil: null };
  return request({ status: 'decided', decision: decision(), ...call }, change);
}

/** The first attempt is under way. */
export function sending(change: Change<'sending'> = {}): With<'sending'> {
  const call = { attempts: [attempt()], tries: 0, delayedBy: null, giveUpAt: null, ...claimedBy('process-1', START) };
  return request({ status: 'sending', decision: decision(), ...call }, change);
}

export function delivered(change: Change<'delivered'> = {}): With<'delivered'> {
  const proof = { proof: 'accepted', resumedAs: null, deliveredAt: START } as const;
  return request({ status: 'delivered', decision: decision(), ...proof }, change);
}

/** The service's answer to a decision on a run that it doesn't know. */
export const UNKNOWN_RUN = { kind: 'refused', code: 'not-found', status: 404, detail: 'Execution not found' } as const;

/** The service said no to the first attempt. */
export function refused(change: Change<'failed'> = {}): With<'failed'> {
  const failure = { kind: 'refused', code: 'quota', status: 400, detail: 'Monthly execution limit reached' } as const;
  const attempts = [attempt({ mayHaveArrived: false })];
  return request({ status: 'failed', decision: decision(), attempts, failure, failedAt: START }, change);
}

/** The first attempt may have arrived. */
export function unconfirmed(change: Change<'failed'> = {}): With<'failed'> {
  return refused({ attempts: [attempt()], failure: { kind: 'not-confirmed' }, ...change });
}

export function superseded(change: Change<'superseded'> = {}): With<'superseded'> {
  return request({ status: 'superseded', decision: null, by: 'newer-round', supersededAt: START }, change);
}

export function declined(change: Change<'declined'> = {}): With<'declined'> {
  return request({ status: 'declined', decision: finalNo(), declinedAt: START }, change);
}

export function expired(change: Change<'expired'> = {}): With<'expired'> {
  return request({ status: 'expired', expiredAt: START }, change);
}

export function vote(by: Person, change: Partial<Vote> = {}): Vote {
  return { by, at: START, feedback: null, ...change };
}

/** What people fill in to answer a request. */
export function field(name: string, change: Partial<InputField> = {}): InputField {
  const open = { options: [], default: null, help: null, min: null, max: null };
  return { name, label: name, type: 'text', ...open, ...change };
}
