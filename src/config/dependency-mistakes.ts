// Finds mistakes in rules that depend on the request: conditions that can't be read, inputs that the crew doesn't have, and rules
// that a condition must not loosen.

import { z } from 'zod';
import { parseCondition } from '../conditions/cel.ts';
import type { InputKinds } from '../core/policy/condition.ts';
import { inputsNamedIn } from '../core/policy/in-force.ts';
import { looserIn } from '../core/policy/loosening.ts';
import type { CrewPolicy, Policy } from '../core/policy/policy.ts';
import { APPROVAL_SETTINGS, type ApprovalSettings, policyOf } from './approval-settings.ts';
import { type Mistake, within } from './compare-crews.ts';
import { INPUT_SETTINGS, kindsOfInputs } from './input-settings.ts';

const CREW = z.object({
  approval: APPROVAL_SETTINGS,
  inputs: z.record(z.string(), INPUT_SETTINGS).nullish(),
  flow_secret: z.unknown().optional(),
});

/** Finds these mistakes in the `approval` of a crew whose settings have the right shape. */
export function dependencyMistakes(crew: unknown): Mistake[] {
  const parsed = CREW.safeParse(crew);
  if (!parsed.success) return [];
  const { approval } = parsed.data;
  const kinds = kindsOfInputs(parsed.data);
  const policy = policyOf(approval, { startedElsewhere: [], inputs: kinds, timeZone: 'UTC' });
  const levels = [
    { settings: approval, policy, path: [] },
    ...(approval.tasks ?? []).map((settings, i) => ({
      settings,
      policy: policy.tasks[i] ?? policy,
      path: ['tasks', i],
    })),
  ];
  const mistakes = levels.flatMap(({ settings, policy: each, path }) => [
    ...within(path, [...unreadable(settings, kinds), ...unknownInputs(settings, each, kinds)]),
  ]);
  if (mistakes.length > 0) return mistakes;
  return levels.flatMap(({ settings, policy: each, path }) => loosening(each, { settings, usual: approval, path }));
}

type Level = Pick<ApprovalSettings, 'when' | 'may_loosen' | 'approvers' | 'all_of' | 'escalate_to' | 'stages'>;

function unreadable({ when = [] }: Level, kinds: InputKinds): Mistake[] {
  return when.flatMap(({ if: text }, i) => {
    const condition = parseCondition(text, kinds);
    return typeof condition === 'string' ? [{ path: ['when', i, 'if'], message: condition }] : [];
  });
}

/** Finds inputs named as approvers that aren't texts, which alone can name a person. */
function unknownInputs(settings: Level, policy: Policy & Pick<CrewPolicy, 'when'>, kinds: InputKinds): Mistake[] {
  const unknown = inputsNamedIn(policy).filter((name) => !Object.hasOwn(kinds, name) || kinds[name] !== 'text');
  return unknown.map((name) => ({
    path: placeOf(settings, `input:${name}`),
    message: `names the input ${name}, which isn't among the crew's inputs of text`,
  }));
}

const LISTS = ['approvers', 'all_of', 'escalate_to'] as const;

/** Returns the path of the list that names an approver; for an inherited list, of the level itself. */
function placeOf(settings: Level, name: string): Mistake['path'] {
  const parts = [
    { part: settings, path: [] },
    ...(settings.stages ?? []).map((part, i) => ({ part, path: ['stages', i] })),
    ...(settings.when ?? []).flatMap((part, i) => [
      { part, path: ['when', i] },
      ...(part.stages ?? []).map((stage, j) => ({ part: stage, path: ['when', i, 'stages', j] })),
    ]),
  ];
  const places = parts.flatMap(({ part, path }) =>
    LISTS.filter((list) => part[list]?.some((each) => each.name === name)).map((list) => [...path, list]),
  );
  return places[0] ?? [];
}

interface Looked {
  settings: Level;
  /** The crew's own rules, whose conditions apply to tasks without conditions of their own. */
  usual: Level;
  path: Mistake['path'];
}

function loosening(policy: Policy & Pick<CrewPolicy, 'when'>, { settings, usual, path }: Looked): Mistake[] {
  const isOwn = settings.when !== undefined;
  const { when = [], may_loosen: areAll = false } = isOwn ? settings : usual;
  const at = isOwn ? path : [];
  const about = isOwn || path.length === 0 ? 'the rules around it' : `those for tasks like ${matchOf(settings)}`;
  return when.flatMap(({ may_loosen: isOne = areAll, ...changed }, i) => {
    const rules = policy.when[i];
    if (isOne || !rules) return [];
    return looserIn(rules, policy).map((setting) => ({
      path: [...at, 'when', i, ...(setting in changed ? [setting] : [])],
      message:
        `loosens ${setting} of ${about}. Whoever starts a run chooses its inputs, so that a condition may only tighten: ` +
        'change it, or add may_loosen: true',
    }));
  });
}

function matchOf(settings: Level): string {
  if ('match' in settings && settings.match !== undefined) return String(settings.match);
  return 'id' in settings ? String(settings.id) : '';
}
