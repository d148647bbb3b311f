import { takesSignIn } from '../../config/sign-in-settings.ts';
import { type Crew, isDeployed } from '../../core/policy/crew.ts';
import { decideAlike } from '../../core/policy/document.ts';
import { type Approver, type CrewPolicy, everNamed, type Policy, stepsOf } from '../../core/policy/policy.ts';
import type { Directory } from '../../core/ports.ts';
import type { Identity } from '../../slack/api/identity.ts';
import type { LookUps } from '../../slack/directory/directory.ts';
import { codeText } from '../../slack/request/policy-sentences.ts';
import { type Finding, wrong } from './finding.ts';

/** Rules of a crew about who may decide, or who may start it. */
export interface RuleSet
  extends Pick<
    Policy,
    'approvers' | 'allOf' | 'escalateTo' | 'quorum' | 'selfApproval' | 'startedElsewhere' | 'guests'
  > {
  /** The subject of findings. */
  about: string;
  right: 'decide' | 'start';
}

/** The steps of a request, each by other people; mostly one. */
export interface RuleSteps {
  about: string;
  steps: readonly RuleSet[];
}

/** Returns the steps for a crew and its tasks, with and without each condition, and for starting it. */
export function ruleStepsOf(crew: Crew): RuleSteps[] {
  const { name, approval, starters } = crew;
  const starting: RuleSet = {
    about: `Starters of ${name}`,
    right: 'start',
    approvers: starters,
    allOf: [],
    escalateTo: [],
    startedElsewhere: [],
    quorum: 1,
    selfApproval: true,
    // `mayStart` lets anyone named by id start runs, also guests and people of other organisations.
    guests: true,
  };
  return [
    ...levelSteps(`Policy of ${name}`, approval),
    ...approval.tasks.flatMap((task) => levelSteps(`Policy of ${name} for ${task.match}`, task)),
    ...(isDeployed(crew) ? [{ about: starting.about, steps: [starting] }] : []),
  ];
}

/** Returns the steps of a policy and of its conditions, as far as those change who decides. */
function levelSteps(about: string, level: Policy & Pick<CrewPolicy, 'when'>): RuleSteps[] {
  const conditions = level.when.flatMap(({ condition, ...policy }) =>
    decideAlike(policy, level) ? [] : [stepsOfPolicy(`${about} if ${codeText(condition.text)}`, policy)],
  );
  return [stepsOfPolicy(about, level), ...conditions];
}

function stepsOfPolicy(about: string, policy: Policy): RuleSteps {
  const hasStages = policy.stages.length > 0;
  const steps = stepsOf(policy).map(
    (step): RuleSet => ({ ...step, about: hasStages ? `${about}, stage ${step.name}` : about, right: 'decide' }),
  );
  return { about, steps };
}

export function ruleSetsOf(crew: Crew): RuleSet[] {
  return ruleStepsOf(crew).flatMap(({ steps }) => steps);
}

/** The context of the checks of one crew's policies. */
export interface PolicyContext {
  lookUps: LookUps;
  directory: Directory;
  identity: Identity;
  /** Id of the crew's own channel, if a rule names its members; null if there is none, or Slack doesn't say. */
  channel: string | null;
}

const GROUPS = 'usergroups:read';
const ADDRESSES = 'users:read.email';

/** Scopes that only some policies need. */
export const POLICY_SCOPES: ReadonlySet<string> = new Set([GROUPS, ADDRESSES]);

/** Returns the optional scope that the look-up of an approver needs; null if it needs none. */
function scopeFor({ kind }: Approver): string | null {
  switch (kind) {
    case 'group':
    case 'handle':
      return GROUPS;
    case 'email':
      return ADDRESSES;
    case 'person':
    case 'channel':
    case 'workspace':
    case 'input':
      return null;
  }
}

/** Returns true if Slack is known to refuse the look-up of an approver. */
export function lacksScope(approver: Approver, { scopes }: Pick<Identity, 'scopes'>): boolean {
  const scope = scopeFor(approver);
  return scope !== null && scopes.size > 0 && !scopes.has(scope);
}

/** Checks that the app has the optional scopes that these crews' policies need. Returns a finding for each missing one. */
export function checkPolicyScopes(crews: readonly Crew[], identity: Pick<Identity, 'scopes'>): Finding[] {
  const lacking = crews.flatMap((crew) =>
    ruleSetsOf(crew)
      .flatMap((rules) => [...everNamed(rules), ...rules.startedElsewhere])
      .filter((approver) => lacksScope(approver, identity))
      .map((approver) => ({ scope: scopeFor(approver), need: `${crew.name} names ${approver.name}` })),
  );
  const isUntold = identity.scopes.size > 0 && !identity.scopes.has(ADDRESSES);
  const signedFor = isUntold ? crews.filter(takesSignIn).map(({ name }) => `${name} has step_up`) : [];
  return [...POLICY_SCOPES].flatMap((scope) => {
    const names = new Set(lacking.filter((each) => each.scope === scope).map(({ need }) => need));
    const needs = [...names, ...(scope === ADDRESSES ? signedFor : [])];
    const instead = needs.length > names.size ? '' : ', or name people by their ids';
    return needs.length === 0 ? [] : [missing(scope, needs, instead)];
  });
}

function missing(scope: string, needs: string[], instead: string): Finding {
  return wrong(
    `Slack scope ${scope}`,
    `missing, but ${needs.join(', ')}.`,
    `Add it under OAuth & Permissions and reinstall the app${instead}.`,
  );
}
