import { canonicalJson } from '../ledger/entry.ts';
import type { Millis } from '../values/time.ts';
import type { Crew } from './crew.ts';
import {
  type Approver,
  approvalsNeeded,
  type CrewPolicy,
  type DelegationRule,
  everNamed,
  type Policy,
  type StagePolicy,
  stepsOf,
} from './policy.ts';

/** A rule that holds, and the settings that it comes from. */
export type PolicyStatement = Rule & { settings: readonly PolicySetting[] };

type Rule =
  /** Without `approvers`: of those who can decide. */
  | { kind: 'quorum'; count: number; approvers?: readonly Approver[] }
  | { kind: 'approvers' | 'starters' | 'all-of'; approvers: readonly Approver[] }
  | { kind: 'stages'; count: number }
  /** `number`: from 1. */
  | ({ kind: 'stage'; number: number; name: string } & Pick<Policy, 'quorum' | 'approvers' | 'allOf'>)
  /** It holds in this stage alone. */
  | { kind: 'in-stage'; name: string; rule: PolicyStatement }
  /** Conditions follow. */
  | { kind: 'conditions' }
  /** What holds in place of other rules where a condition does, and which of those don't then. */
  | { kind: 'if'; condition: string; rules: readonly PolicyStatement[]; without: readonly PolicyStatement[] }
  | { kind: 'step-up' }
  /** Of the outcomes that a request offers, only these approve. */
  | { kind: 'outcomes'; approving: readonly string[] }
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

interface Stated<Each extends Policy = Policy> {
  policy: Each;
  crew: CrewSettings;
}

/** How many have to decide, who may, and what happens with time, in the order in which people are told; whatever conditions change. */
export function policyStatements({ policy, crew }: Stated): PolicyStatement[] {
  return [
    ...decidersOf(policy),
    selfApproval(policy),
    ...elsewhere(policy, crew),
    guests(policy),
    ...delegation(policy),
    ...ownToken(crew),
    ...stepUp(policy),
    ...outcomes(policy),
    ...comments(policy),
    ...delays(policy),
    ...timersOf(policy),
    ...hoursOf(policy, crew),
  ];
}

/** What differs where a condition holds; nothing where there is none. */
export function conditionStatements({ policy, crew }: Stated<Policy & Pick<CrewPolicy, 'when'>>): PolicyStatement[] {
  const { when } = policy;
  if (when.length === 0) return [];
  const usual = policyStatements({ policy, crew });
  const conditions = when.map(({ condition, ...conditional }, i): PolicyStatement => {
    const own = policyStatements({ policy: conditional, crew });
    const rules = unlike(own, usual);
    const without = unlike(usual, own).filter((each) => !rules.some((other) => isInPlaceOf(other, each)));
    const settings = rules.flatMap((rule) => rule.settings.map((setting) => `when.${i}.${setting}` as const));
    return { kind: 'if', condition: condition.text, rules, without, settings: [`when.${i}.if`, ...settings] };
  });
  return [{ kind: 'conditions', settings: ['when'] }, ...conditions];
}

function unlike(statements: readonly PolicyStatement[], others: readonly PolicyStatement[]): PolicyStatement[] {
  const said = ({ settings: _, ...rule }: PolicyStatement) => canonicalJson(rule);
  const known = new Set(others.map(said));
  return statements.filter((each) => !known.has(said(each)));
}

/** Whether a rule says what holds instead of another one. */
function isInPlaceOf(one: PolicyStatement, other: PolicyStatement): boolean {
  return (SUBJECTS[one.kind] ?? one.kind) === (SUBJECTS[other.kind] ?? other.kind);
}

/** Of rules of several kinds. */
const SUBJECTS: Partial<Record<PolicyStatement['kind'], string>> = {
  quorum: 'deciders',
  approvers: 'deciders',
  'all-of': 'deciders',
  stages: 'deciders',
  stage: 'deciders',
  closing: 'expiry',
  rejection: 'expiry',
};

/** Who may start a crew. */
export function starterStatement(starters: readonly Approver[]): PolicyStatement {
  return { kind: 'starters', approvers: starters, settings: ['starters'] };
}

/** Who has to approve: at once, or one stage after the other. */
function decidersOf(policy: Policy): PolicyStatement[] {
  const { stages } = policy;
  if (stages.length === 0) return oneStep(policy);
  return [
    { kind: 'stages', count: stages.length, settings: ['stages'] },
    ...stages.map(({ name, quorum, approvers, allOf }, i): PolicyStatement => {
      const settings = (
        ['name', 'approvers', 'quorum', ...(allOf.length > 0 ? (['all_of'] as const) : [])] as const
      ).map((setting) => `stages.${i}.${setting}` as const);
      return { kind: 'stage', number: i + 1, name, quorum, approvers, allOf, settings };
    }),
  ];
}

function oneStep(policy: Policy): PolicyStatement[] {
  const { quorum, approvers, allOf } = policy;
  if (allOf.length === 0)
    return [
      { kind: 'quorum', count: quorum, settings: ['quorum'] },
      { kind: 'approvers', approvers, settings: ['approvers'] },
    ];
  const seats: PolicyStatement = { kind: 'all-of', approvers: allOf, settings: ['all_of'] };
  return hasOthers(policy)
    ? [seats, { kind: 'quorum', count: quorum, approvers, settings: ['quorum', 'approvers'] }]
    : [{ kind: 'quorum', count: approvalsNeeded(policy), settings: ['quorum', 'all_of'] }, seats];
}

/** Whether others than those of whom one each has to approve have a say, too. */
export function hasOthers({ approvers, allOf }: Pick<Policy, 'approvers' | 'allOf'>): boolean {
  return approvers.some(({ name }) => allOf.every((seat) => seat.name !== name));
}

function stepUp({ stepUp: isAsked }: Policy): PolicyStatement[] {
  return isAsked ? [{ kind: 'step-up', settings: ['step_up'] }] : [];
}

function outcomes({ approving }: Policy): PolicyStatement[] {
  return approving === null ? [] : [{ kind: 'outcomes', approving, settings: ['approving'] }];
}

function isForAll({ approvers }: Pick<Policy, 'approvers'>): boolean {
  return approvers.some(({ kind }) => kind === 'workspace');
}

function selfApproval(policy: Policy): PolicyStatement {
  const { selfApproval: isAllowed } = policy;
  const isAlwaysMeant = stepsOf(policy).every(isForAll);
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

function guests(policy: Policy): PolicyStatement {
  const { guests: areAllowed } = policy;
  const isAnyNamed = stepsOf(policy)
    .flatMap(everNamed)
    .some(({ kind }) => kind === 'person');
  return { kind: 'guests', allowed: areAllowed && isAnyNamed ? 'named' : 'never', settings: ['guests'] };
}

/** Not where everybody is named anyway. */
function delegation(policy: Policy): PolicyStatement[] {
  const { delegation: allowed } = policy;
  const isSaid = allowed !== 'approvers' || !stepsOf(policy).every(isForAll);
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

/** Of each stage, where they differ. */
function timersOf(policy: Policy): PolicyStatement[] {
  const ofSteps = policy.stages.map((stage, i) => ({ stage, i, rules: timers(stage) }));
  const [first, ...others] = ofSteps;
  if (!first) return timers(policy);
  if (others.every(({ rules }) => canonicalJson(rules) === canonicalJson(first.rules))) return first.rules;
  return ofSteps.flatMap(({ stage: { name }, i, rules }) =>
    rules.map((rule): PolicyStatement => {
      const settings = rule.settings.map((setting) => `stages.${i}.${setting}` as const);
      return { kind: 'in-stage', name, rule, settings };
    }),
  );
}

function timers(policy: StagePolicy | Policy): PolicyStatement[] {
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

function expiry(
  { onExpiry, expiryText: feedback }: Pick<Policy, 'onExpiry' | 'expiryText'>,
  ms: Millis,
): PolicyStatement {
  switch (onExpiry) {
    case 'close':
      return { kind: 'closing', ms, settings: ['expire_after', 'on_expiry'] };
    case 'reject':
      return { kind: 'rejection', ms, feedback, settings: ['expire_after', 'on_expiry', 'expiry_text'] };
  }
}

function hoursOf(policy: Policy, { hours }: CrewSettings): PolicyStatement[] {
  const all = stepsOf(policy).flatMap((each) => [each.remindAfterMs, each.escalateAfterMs, each.expireAfterMs]);
  if (hours === null || all.every((timer) => timer === null)) return [];
  return [{ kind: 'hours', text: hours.text, settings: ['hours'] }];
}

/**
 * The settings that make up a policy and what belongs to it, as the crews file names them; within the list of stages or of
 * conditions by their path, such as `stages.0.quorum`.
 */
export type PolicySetting = Setting | `${'stages' | 'when'}.${number}.${string}`;

type Setting =
  | 'approvers'
  | 'quorum'
  | 'all_of'
  | 'stages'
  | 'when'
  | 'step_up'
  | 'approving'
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
  const found = [...new Set(settings.flatMap((setting) => pathOf(places, setting, task) ?? []))];
  const all = found.flatMap((path) => places.get(path) ?? []);
  const [first] = all;
  if (first === undefined) return null;
  const lines = all.flatMap(({ line }) => line ?? []);
  return { source: first.source, lines: [...new Set(lines)] };
}

/** A task has its own stages and conditions, or those of the crew. What a stage leaves out is that of the rules around it. */
function pathOf(places: PolicyPlaces, setting: string, task: TaskIndex): string | null {
  const own = `approval.tasks.${task}`;
  const [list = setting] = setting.split('.');
  const isOwn = task !== null && places.has(`${own}.${list}`);
  const paths = [...(isOwn ? [`${own}.${setting}`] : [`approval.${setting}`, setting])];
  const found = paths.find((path) => places.has(path));
  const [, around] = /^stages\.\d+\.(?!name$)(.+)$/.exec(setting) ?? [];
  return found ?? (around === undefined ? null : pathOf(places, around, task));
}
