import type { Approver } from '../../core/approval/policy/approver.ts';
import { slackErrorName } from '../../slack/api/errors.ts';
import { groupOfHandle, type UserGroup } from '../../slack/directory/user-groups.ts';
import { doubtful, type Finding, wrong } from '../finding.ts';
import { checkPerson } from './check-person.ts';
import type { PolicyContext } from './policy-context.ts';
import { lacksScope } from './policy-scopes.ts';
import type { RuleSet } from './rule-sets.ts';

// https://docs.slack.dev/reference/methods/usergroups.list#errors
const NO_GROUPS = "is a user group, and this workspace's plan has none.";
const NAME_OTHERS = 'Name people by id or e-mail address, or the members of the channel.';

/** Checks that an approver stands for people who exist. Null if so, or if it needs no check or can't be looked up. */
export async function checkApprover(
  approver: Approver,
  rules: Pick<RuleSet, 'about' | 'guests'>,
  context: PolicyContext,
): Promise<Finding | null> {
  if (lacksScope(approver, context.identity)) return null;
  try {
    return await check(approver, rules, context);
  } catch (error) {
    const reason = slackErrorName(error) ?? 'no answer';
    if (reason === 'plan_upgrade_required') return wrong(rules.about, `${approver.name} ${NO_GROUPS}`, NAME_OTHERS);
    return doubtful(rules.about, `couldn't look up ${approver.name} (${reason}).`, 'Run this again.');
  }
}

async function check(
  { kind, name }: Approver,
  rules: Pick<RuleSet, 'about' | 'guests'>,
  context: PolicyContext,
): Promise<Finding | null> {
  const { lookUps } = context;
  switch (kind) {
    case 'person':
      return checkPerson({ id: name, name, namedBy: 'id' }, rules, context);
    case 'email': {
      const id = await lookUps.idByEmail(name, 'fact');
      if (id !== null) return checkPerson({ id, name, namedBy: 'e-mail' }, rules, context);
      return wrong(rules.about, `nobody has the address ${name} in Slack.`, 'Correct it, or name the person by id.');
    }
    case 'group': {
      const group = (await lookUps.groups('fact')).find(({ id }) => id === name) ?? null;
      return checkGroup({ group, name }, rules, context);
    }
    case 'handle':
      return checkGroup({ group: groupOfHandle(await lookUps.groups('fact'), name), name }, rules, context);
    case 'channel':
    case 'workspace':
      return null;
  }
}

async function checkGroup(
  { group, name }: { group: UserGroup | null; name: string },
  { about }: Pick<RuleSet, 'about'>,
  { lookUps }: PolicyContext,
): Promise<Finding | null> {
  if (group === null)
    return wrong(about, `there is no user group ${name}.`, 'Correct it, or create the group in Slack.');
  if (group.isDisabled)
    return wrong(about, `the user group ${name} is disabled.`, 'Enable it in Slack, or name another one.');
  const members = await lookUps.groupMembers(group.id);
  if (members.size > 0) return null;
  return wrong(about, `the user group ${name} has no members.`, 'Add people to it in Slack, or name another one.');
}
