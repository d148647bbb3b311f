import type { Crew } from '../../crew.ts';
import type { Millis } from '../../time.ts';
import { type Approver, type DelegationRule, everNamed, type Policy } from './policy.ts';

/** A rule that holds, and the settings that it comes from. */
export type PolicyStatement = Rule & { settings: readonly PolicySetting[] };

type Rule =
  | { kind: 'quorum'; count: number }
  | { kind: 'approvers' | 'starters'; approvers: readonly Approver[] }
  /** Whether the person who started the run can decide it: `one-of-them` only if they are among the approvers anyway. */
  | { kind: 'self-approval'; allowed: 'never' | 'always' | 'one-of-them' }
  /** Who counts as the starter of a run that was started elsewhere; nobody is known where there are none. */
  | { kind: 'elsewhere'; people: readonly Approver[] }
  | { kind: 'guests'; allowed: 'never' | 'named' }
  | { kind: 'delegation'; allowed: DelegationRule }
  | { kind: 'own-token'; crew: string }
  | { kind: 'notes'; taken: 'always' | 'never' }
  | { kind: 'feedback'; taken: 'perhaps' | 'never' }
  /** A final no is told to the crew. */
  | { kind: 'last-rejection' }
  | { kind: 'review' | 'undo' | 'reminder'; ms: Millis }
  | { kind: 'escalation'; ms: Millis; approvers: readonly Approver[] }
  | { kind: 'closing'; ms: Millis }
  | { kind: 'rejection'; ms: Millis; feedback: string }
  | { kind: 'hours'; text: string };

type CrewSettings = Pick<Crew, 'name' | 'hours' | 'requireUserToken' | 'channel' | 'startedElsewhere'>;

/** How many have to decide, who may, and what happens with time, in the order in which people are told. */
export function policyStatements({ policy, crew }: { policy: Policy; crew: CrewSettings }): PolicyStatement[] {
  const { quorum, approvers } = policy;
  return [
    { kind: 'quorum', count: quorum, settings: ['quorum'] },
    { kind: 'approvers', approvers, settings: ['approvers'] },
    selfApproval(policy),
    ...elsewhere(policy, crew),
    guests(policy),
    ...delegation(policy),
    ...ownToken(crew),
    ...comments(policy),
    ...delays(policy),
    ...timers(policy),
    ...hoursOf(policy, crew),
  ];
}

/** Who may start a crew. */
export function starterStatement(starters: readonly Approver[]): PolicyStatement {
  return { kind: 'starters', approvers: starters, settings: ['starters'] };
}

function selfApproval({ selfApproval: isAllowed, approvers }: Policy): PolicyStatement {
  const isAlwaysMeant = approvers.some(({ kind }) => kind === 'workspace');
  const allowed = isAlwaysMeant ? 'always' : 'one-of-them';
  return { kind: 'self-approval', allowed: isAllowed ? allowed : 'never', settings: ['self_approval'] };
}

/** Only where there are such runs, and it matters who started them. */
function elsewhere(
  { selfApproval: isAllowed, startedElsewhere: people }: Policy,
  crew: CrewSettings,
): PolicyStatement[] {
  if (isAllowed || crew.channel === null || crew.startedElsewhere === 'refused') return [];
  return [{ kind: 'elsewhere', people, settings: ['started_elsewhere'] }];
}

function guests({ guests: areAllowed, ...policy }: Policy): PolicyStatement {
  const isAnyNamed = everNamed(policy).some(({ kind }) => kind === 'person');
  return { kind: 'guests', allowed: areAllowed && isAnyNamed ? 'named' : 'never', settings: ['guests'] };
}

/** Not where everybody is named anyway. */
function delegation({ delegation: allowed, approvers }: Policy): PolicyStatement[] {
  const isSaid = allowed !== 'approvers' || approvers.every(({ kind }) => kind !== 'workspace');
  return isSaid ? [{ kind: 'delegation', allowed, settings: ['delegation'] }] : [];
}

function ownToken({ name, requireUserToken }: CrewSettings): PolicyStatement[] {
  return requireUserToken ? [{ kind: 'own-token', crew: name, settings: ['require_user_token'] }] : [];
}

/** What isn't as usual about what people say with their verdicts. */
function comments({ comment, onDecline }: Policy): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  const settings = ['comment'] as const;
  if (comment.approve !== 'optional')
    statements.push({ kind: 'notes', taken: comment.approve === 'required' ? 'always' : 'never', settings });
  if (comment.reject !== 'required')
    statements.push({ kind: 'feedback', taken: comment.reject === 'optional' ? 'perhaps' : 'never', settings });
  if (onDecline === 'reject') statements.push({ kind: 'last-rejection', settings: ['on_decline'] });
  return statements;
}

function delays({ undoMs, minReviewMs }: Policy): PolicyStatement[] {
  const review: PolicyStatement = { kind: 'review', ms: minReviewMs, settings: ['min_review'] };
  const undo: PolicyStatement = { kind: 'undo', ms: undoMs, settings: ['undo'] };
  return [...(minReviewMs > 0 ? [review] : []), ...(undoMs > 0 ? [undo] : [])];
}

function timers(policy: Policy): PolicyStatement[] {
  const { remindAfterMs, escalateAfterMs, escalateTo, expireAfterMs } = policy;
  const statements: PolicyStatement[] = [];
  if (remindAfterMs !== null) statements.push({ kind: 'reminder', ms: remindAfterMs, settings: ['remind_after'] });
  if (escalateAfterMs !== null) {
    const settings = ['escalate_after', 'escalate_to'] as const;
    statements.push({ kind: 'escalation', ms: escalateAfterMs, approvers: escalateTo, settings });
  }
  if (expireAfterMs !== null) statements.push(expiry(policy, expireAfterMs));
  return statements;
}

function expiry({ onExpiry, expiryText: feedback }: Policy, ms: Millis): PolicyStatement {
  switch (onExpiry) {
    case 'close':
      return { kind: 'closing', ms, settings: ['expire_after', 'on_expiry'] };
    case 'reject':
      return { kind: 'rejection', ms, feedback, settings: ['expire_after', 'on_expiry', 'expiry_text'] };
  }
}

function hoursOf(policy: Policy, { hours }: CrewSettings): PolicyStatement[] {
  const all = [policy.remindAfterMs, policy.escalateAfterMs, policy.expireAfterMs];
  if (hours === null || all.every((timer) => timer === null)) return [];
  return [{ kind: 'hours', text: hours.text, settings: ['hours'] }];
}

/** The settings that make up a policy and what belongs to it, as the crews file names them. */
export type PolicySetting =
  | 'approvers'
  | 'quorum'
  | 'self_approval'
  | 'guests'
  | 'delegation'
  | 'undo'
  | 'min_review'
  | 'remind_after'
  | 'escalate_after'
  | 'escalate_to'
  | 'expire_after'
  | 'on_expiry'
  | 'expiry_text'
  | 'comment'
  | 'on_decline'
  | 'hours'
  | 'require_user_token'
  | 'starters'
  | 'started_elsewhere';

/** Where a setting stands: in a line of a file, or in a variable, which has no line. */
interface SettingPlace {
  source: string;
  line: number | null;
}

/** Where the settings of a crew stand, by their path within the crew, such as `approval.tasks.0.quorum`; not those left out. */
export type PolicyPlaces = ReadonlyMap<string, SettingPlace>;

/** Which of a crew's policies is meant: its place among those of tasks, or null for the usual one. */
type TaskIndex = number | null;

/** Where settings stand together: all settings of a crew stand in one file. */
export interface Place {
  source: string;
  /** Empty for a variable. */
  lines: readonly number[];
}

/** Where settings stand that apply to a task. Null where all of them are left out. */
export function placeOf(
  places: PolicyPlaces,
  settings: readonly (PolicySetting | 'match')[],
  task: TaskIndex,
): Place | null {
  const found = settings.flatMap((setting) => {
    const own = task === null ? undefined : places.get(`approval.tasks.${task}.${setting}`);
    return own ?? places.get(`approval.${setting}`) ?? places.get(setting) ?? [];
  });
  const [first] = found;
  if (first === undefined) return null;
  const lines = found.flatMap(({ line }) => line ?? []);
  return { source: first.source, lines: [...new Set(lines)] };
}
