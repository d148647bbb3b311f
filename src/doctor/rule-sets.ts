import { type Approver, everNamed, type Policy } from '../core/approval/policy/policy.ts';
import type { Crew } from '../core/crew.ts';
import type { Directory } from '../core/ports.ts';
import type { Identity } from '../slack/api/identity.ts';
import type { LookUps } from '../slack/directory/directory.ts';
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

export function ruleSetsOf({ name, approval, starters }: Crew): RuleSet[] {
  const { tasks } = approval;
  return [
    { ...approval, about: `Policy of ${name}`, right: 'decide' },
    ...tasks.map((task): RuleSet => ({ ...task, about: `Policy of ${name} for ${task.match}`, right: 'decide' })),
    {
      about: `Starters of ${name}`,
      right: 'start',
      approvers: starters,
      allOf: [],
      escalateTo: [],
      startedElsewhere: [],
      quorum: 1,
      selfApproval: true,
      // As `mayStart` has it: whoever is named by id may start runs, guests and people of other organisations, too.
      guests: true,
    },
  ];
}

/** What the checks of one crew's policies work with. */
export interface PolicyContext {
  lookUps: LookUps;
  directory: Directory;
  identity: Identity;
  /** The id of the crew's own channel, if its members have a say; null if it has none, or Slack doesn't say. */
  channel: string | null;
}

const GROUPS = 'usergroups:read';
const ADDRESSES = 'users:read.email';

/** Those that only some policies need. */
export const POLICY_SCOPES: ReadonlySet<string> = new Set([GROUPS, ADDRESSES]);

/** The scope without which Slack doesn't say whom an approver stands for; null if no optional one is needed. */
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

/** Whether Slack is known to refuse the look-up of an approver. */
export function lacksScope(approver: Approver, { scopes }: Pick<Identity, 'scopes'>): boolean {
  const scope = scopeFor(approver);
  return scope !== null && scopes.size > 0 && !scopes.has(scope);
}

/** Checks that the app has the optional scopes that these crews' policies need. One finding for each that is missing. */
export function checkPolicyScopes(crews: readonly Crew[], identity: Pick<Identity, 'scopes'>): Finding[] {
  const lacking = crews.flatMap((crew) =>
    ruleSetsOf(crew)
      .flatMap((rules) => [...everNamed(rules), ...rules.startedElsewhere])
      .filter((approver) => lacksScope(approver, identity))
      .map((approver) => ({ scope: scopeFor(approver), need: `${crew.name} names ${approver.name}` })),
  );
  return [...POLICY_SCOPES].flatMap((scope) => {
    const needs = new Set(lacking.filter((each) => each.scope === scope).map(({ need }) => need));
    return needs.size === 0 ? [] : [missing(scope, [...needs])];
  });
}

function missing(scope: string, needs: string[]): Finding {
  return wrong(
    `Slack scope ${scope}`,
    `missing, but ${needs.join(', ')}.`,
    'Add it under OAuth & Permissions and reinstall the app, or name people by their ids.',
  );
}
