import type { Policy } from '../../core/approval/policy/policy.ts';
import type { Crew } from '../../core/crew.ts';
import { doubtful, type Finding } from '../finding.ts';

/** Deployed services name tasks by such ids. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Checks that no task is laxer as long as the crew hasn't named it, when its own rules count. A finding for each that is. */
export function checkTaskNames({ name, approval }: Crew): Finding[] {
  return approval.tasks
    .filter((task) => isByName(task.match) && isStricter(task, approval))
    .map(({ match }) =>
      doubtful(
        `Policy of ${name} for ${match}`,
        "stricter than the crew's own rules, which count until the crew has named a task.",
        "Make the crew's own rules the strict ones, or match the task by its id.",
      ),
    );
}

function isByName(match: string): boolean {
  return !ID.test(match) && match.replaceAll('*', '') !== '';
}

function isStricter(task: Policy, crew: Policy): boolean {
  const isAnyMeant = task.approvers.some(({ kind }) => kind === 'workspace');
  const isMeant = (name: string) => isAnyMeant || task.approvers.some((each) => each.name === name);
  return (
    task.quorum > crew.quorum ||
    (crew.selfApproval && !task.selfApproval) ||
    (crew.guests && !task.guests) ||
    !crew.approvers.every(({ name }) => isMeant(name))
  );
}
