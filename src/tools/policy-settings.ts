// Finds the settings of the crews file behind a rule, and their lines.

import type { PolicyPlaces } from '../config/crews.ts';
import type { CrewPolicy, Policy } from '../core/policy/policy.ts';
import type { PolicyStatement } from '../core/policy/statements.ts';

/** The settings of a policy by their names in the crews file; within stages and conditions by path, such as `stages.0.quorum`. */
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

/** Index of a task's policy; null for the crew's own policy. */
type TaskIndex = number | null;

/** Lines of settings; all settings of a crew are in one file. */
export interface Place {
  source: string;
  /** Empty for an environment variable. */
  lines: readonly number[];
}

/** Returns the lines of settings that apply to a task; null if none of them is set. */
export function placeOf(
  places: PolicyPlaces,
  settings: readonly (PolicySetting | 'match' | 'id')[],
  task: TaskIndex,
): Place | null {
  const paths = [...new Set(settings.flatMap((setting) => pathOf(places, setting, task) ?? []))];
  const all = paths.flatMap((path) => places.get(path) ?? []);
  const [first] = all;
  if (first === undefined) return null;
  const lines = all.flatMap(({ line }) => line ?? []);
  return { source: first.source, lines: [...new Set(lines)] };
}

/** Returns the path of a setting. Stages and conditions inherit what they leave out, tasks what the crew has. */
function pathOf(places: PolicyPlaces, setting: string, task: TaskIndex): string | null {
  const own = `approval.tasks.${task}`;
  const [list = setting] = setting.split('.');
  const isOwn = task !== null && places.has(`${own}.${list}`);
  const paths = [...(isOwn ? [`${own}.${setting}`] : [`approval.${setting}`, setting])];
  const path = paths.find((path) => places.has(path));
  const [, around] = /^(?:stages\.\d+\.(?!name$)|when\.\d+\.(?!if$|stages))(.+)$/.exec(setting) ?? [];
  return path ?? (around === undefined ? null : pathOf(places, around, task));
}

/** Returns the settings behind a rule. */
export function settingsOf(rule: PolicyStatement, policy: Policy & Partial<Pick<CrewPolicy, 'when'>>): PolicySetting[] {
  switch (rule.kind) {
    case 'deciders':
      return ['approvers', 'quorum', ...(rule.allOf.length > 0 ? ['all_of' as const] : [])];
    case 'not':
      return settingsOf(rule.rule, policy);
    case 'stage': {
      const settings = ['name', 'approvers', 'quorum', ...(rule.allOf.length > 0 ? ['all_of'] : [])];
      return settings.map((setting) => `stages.${rule.number - 1}.${setting}` as const);
    }
    case 'in-stage': {
      const stage = policy.stages.findIndex(({ name }) => name === rule.name);
      return settingsOf(rule.rule, policy).map((setting) => `stages.${stage}.${setting}` as const);
    }
    case 'if': {
      const place = rule.number - 1;
      const rules = policy.when?.[place] ?? policy;
      const settings = rule.rules.flatMap((each) => settingsOf(each, rules));
      return ['if', ...settings].map((setting) => `when.${place}.${setting}` as const);
    }
    default:
      return [...SETTINGS[rule.kind]];
  }
}

type OfSeveral = 'deciders' | 'not' | 'stage' | 'in-stage' | 'if';

const SETTINGS: Record<Exclude<PolicyStatement['kind'], OfSeveral>, readonly Setting[]> = {
  starters: ['starters'],
  stages: ['stages'],
  conditions: ['when'],
  'step-up': ['step_up'],
  outcomes: ['approving'],
  'self-approval': ['self_approval'],
  elsewhere: ['started_elsewhere'],
  guests: ['guests'],
  delegation: ['delegation'],
  'own-token': ['require_user_token'],
  notes: ['comment'],
  feedback: ['comment'],
  'last-rejection': ['on_decline'],
  review: ['min_review'],
  undo: ['undo'],
  reminder: ['remind_after'],
  escalation: ['escalate_after', 'escalate_to'],
  closing: ['expire_after', 'on_expiry'],
  rejection: ['expire_after', 'on_expiry', 'expiry_text'],
  hours: ['hours'],
};
