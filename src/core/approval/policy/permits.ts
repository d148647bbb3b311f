import type { Approver } from './approver.ts';
import { mustBeLookedUp } from './approver.ts';
import type { Account, Facts } from './facts.ts';
import type { Policy } from './policy.ts';
import { approversNow } from './policy.ts';

/** Why a person may not do something. What Slack can't tell counts against them. */
export type Denial =
  | { kind: 'stranger' }
  | { kind: 'guest' }
  | { kind: 'bot' }
  | { kind: 'deactivated' }
  | { kind: 'self-approval' }
  | { kind: 'not-approver' }
  /** Slack can't say whether this person is meant by the approver of this name; null: it can't say who they are. */
  | { kind: 'unsure'; personId: string; approver: string | null }
  /** The crew wants everybody's own token. */
  | { kind: 'no-token' };

/** By which rule a person may decide: the name of an approver, or that it was handed over to them. */
export type Permit = { kind: 'permitted'; rule: string } | ({ kind: 'denied' } & { denial: Denial });

/** The rule of a person to whom a request was handed over. */
export const HANDED_OVER = 'handed over';

/** The rule of a person who undoes their own decision, even if they may no longer decide. */
export const OWN_DECISION = 'own decision';

/** What a policy needs to know about a request. */
export interface Subject {
  /** Who started the run; null if it was started elsewhere. */
  starterId: string | null;
  isEscalated: boolean;
  /** To whom it was handed over. */
  handedTo: readonly string[];
}

/** Whether a person may decide a request. */
export function permits(
  policy: Pick<Policy, 'approvers' | 'escalateTo' | 'guests' | 'selfApproval'>,
  subject: Subject,
  personId: string,
  facts: Facts,
): Permit {
  const account = facts.accounts[personId];
  if (!account) return denied({ kind: 'unsure', personId, approver: null });
  const barred = whyBarred(policy, account) ?? whySelfBarred(policy, subject, { personId, account, facts });
  if (barred) return denied(barred);
  const permit = findRule(approversNow(policy, subject), { handedTo: subject.handedTo, personId, account, facts });
  if (permit.kind === 'denied') return permit;
  return facts.connected === null || facts.connected.has(personId) ? permit : denied({ kind: 'no-token' });
}

/** Whether two accounts belong to one person. */
export function isSamePerson(oneId: string, otherId: string, { accounts }: Facts): boolean {
  const others = identitiesOf(otherId, accounts[otherId]);
  return identitiesOf(oneId, accounts[oneId]).some((identity) => others.includes(identity));
}

interface Asked {
  personId: string;
  account: Account;
  facts: Facts;
}

/** What no rule can outweigh. Guests and strangers may decide only if they are named by their id, and guests are welcome. */
function whyBarred(
  { approvers, escalateTo, guests }: Pick<Policy, 'approvers' | 'escalateTo' | 'guests'>,
  account: Account,
): Denial | null {
  if (account.isBot) return { kind: 'bot' };
  if (account.isDeactivated) return { kind: 'deactivated' };
  if (!account.isGuest && !account.isStranger) return null;
  const isNamed = [...approvers, ...escalateTo].some((approver) => isNamedBy(approver, account));
  if (guests && isNamed) return null;
  return { kind: account.isStranger ? 'stranger' : 'guest' };
}

function whySelfBarred(
  { selfApproval }: Pick<Policy, 'selfApproval'>,
  { starterId }: Subject,
  { personId, facts }: Asked,
): Denial | null {
  if (selfApproval || starterId === null) return null;
  const isStarter = hasStarted(starterId, personId, facts);
  if (isStarter) return { kind: 'self-approval' };
  return isStarter === null ? { kind: 'unsure', personId: starterId, approver: null } : null;
}

/** Whether a person started a run; null if Slack can't tell: the starter may be a second account of theirs. */
export function hasStarted(starterId: string, personId: string, facts: Facts): boolean | null {
  if (isSamePerson(personId, starterId, facts)) return true;
  return facts.accounts[starterId] ? false : null;
}

function findRule(
  approvers: readonly Approver[],
  { handedTo, personId, account, facts }: Asked & { handedTo: readonly string[] },
): Permit {
  const isOutsider = account.isGuest || account.isStranger;
  const rules = isOutsider ? approvers.filter((approver) => isNamedBy(approver, account)) : approvers;
  const verdicts = rules.map((approver) => ({ approver, verdict: verdictOf(approver, { account, facts }) }));
  const rule = verdicts.find(({ verdict }) => verdict === 'matches');
  if (rule) return { kind: 'permitted', rule: rule.approver.name };
  if (!isOutsider && account.identities.some((identity) => handedTo.includes(identity)))
    return { kind: 'permitted', rule: HANDED_OVER };
  const unsure = verdicts.find(({ verdict }) => verdict === 'unsure');
  return denied(unsure ? { kind: 'unsure', personId, approver: unsure.approver.name } : { kind: 'not-approver' });
}

function verdictOf(approver: Approver, { account, facts }: Omit<Asked, 'personId'>): 'matches' | 'differs' | 'unsure' {
  if (approver.kind === 'workspace') return 'matches';
  if (!mustBeLookedUp(approver)) return isNamedBy(approver, account) ? 'matches' : 'differs';
  const members = facts.members[approver.name];
  if (!members) return 'unsure';
  return account.identities.some((identity) => members.has(identity)) ? 'matches' : 'differs';
}

function isNamedBy({ kind, name }: Approver, { identities }: Account): boolean {
  return kind === 'person' && identities.includes(name);
}

function identitiesOf(id: string, account: Account | null | undefined): readonly string[] {
  return [id, ...(account?.identities ?? [])];
}

function denied(denial: Denial): Permit {
  return { kind: 'denied', denial };
}
