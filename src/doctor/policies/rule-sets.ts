import type { Policy } from '../../core/approval/policy/policy.ts';
import type { Crew } from '../../core/crew.ts';

type Rules = Pick<Policy, 'approvers' | 'escalateTo' | 'quorum' | 'selfApproval' | 'startedElsewhere' | 'guests'>;

/** Rules of a crew about who may decide, or who may start it. */
export interface RuleSet extends Rules {
  /** The subject of findings. */
  about: string;
  right: 'decide' | 'start';
}

export function ruleSetsOf({ name, approval, starters }: Crew): RuleSet[] {
  const { tasks } = approval;
  return [
    { ...approval, about: `Policy of ${name}`, right: 'decide' },
    ...tasks.map((task): RuleSet => ({ ...task, about: `Policy of ${name} for ${task.match}`, right: 'decide' })),
    startersOf({ about: `Starters of ${name}`, starters }),
  ];
}

/** As `mayStart` has it: guests and people of other organisations may start what names them by their id. */
function startersOf({ about, starters }: { about: string } & Pick<Crew, 'starters'>): RuleSet {
  const unused = { escalateTo: [], startedElsewhere: [] };
  const rules: Rules = { approvers: starters, quorum: 1, selfApproval: true, guests: true, ...unused };
  return { ...rules, about, right: 'start' };
}
