import type { Approver } from '../../core/policy/policy.ts';
import type { UserGroup } from '../../core/values/user-groups.ts';
import { slackErrorName } from '../../slack/api/errors.ts';
import { accountOf, groupsOfHandle } from '../../slack/directory/directory.ts';
import { doubtful, type Finding, wrong } from './finding.ts';
import { lacksScope, type PolicyContext, type RuleSet } from './rule-sets.ts';

// https://docs.slack.dev/reference/methods/usergroups.list#errors
const NO_GROUPS = "is a user group, and this workspace's plan has none.";
const NAME_OTHERS = 'Name people by id or e-mail address, or the members of the channel.';

/** Checks that an approver stands for people who exist. Returns null if so, or if it needs no check or can't be looked up. */
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
      const group = (await lookUps.userGroups.all('fact')).find(({ id }) => id === name) ?? null;
      return checkGroup({ group, name }, rules, context);
    }
    case 'handle': {
      const [group = null, ...others] = groupsOfHandle(await lookUps.userGroups.all('fact'), name);
      if (group === null || others.length === 0) return checkGroup({ group, name }, rules, context);
      const ids = [group, ...others].map(({ id }) => id).join(' and ');
      return wrong(
        rules.about,
        `several workspaces have a user group ${name} (${ids}), so that it stands for nobody.`,
        'Name the one that you mean by its id.',
      );
    }
    case 'channel':
    case 'workspace':
    case 'input':
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
  const members = await lookUps.userGroups.membersOf(group.id, 'fact');
  if (members.size > 0) return null;
  return wrong(about, `the user group ${name} has no members.`, 'Add people to it in Slack, or name another one.');
}

interface NamedPerson {
  id: string;
  /** Name in the policy. */
  name: string;
  namedBy: 'id' | 'e-mail';
}

/** Checks that a named person exists and may decide. Returns null if so. Throws if Slack can't tell. */
async function checkPerson(
  { id, name, namedBy }: NamedPerson,
  { about, guests }: Pick<RuleSet, 'about' | 'guests'>,
  { lookUps, identity }: PolicyContext,
): Promise<Finding | null> {
  const user = await lookUps.user(id, 'fact');
  const account = user && accountOf(user, { personId: id, identity });
  if (!user || !account)
    return wrong(about, `there is nobody with the id ${name}.`, 'Copy the member id from the profile in Slack again.');
  const person = user.name === null ? name : `${name} (${user.name})`;
  if (account.isDeactivated) return wrong(about, `${person} is deactivated.`, 'Name another person.');
  if (account.isBot) return wrong(about, `${person} is a bot, which has no say.`, 'Name a person.');
  if (!account.isGuest && !account.isStranger) return null;
  const what = account.isStranger ? 'belongs to another organisation' : 'is a guest';
  if (namedBy === 'e-mail')
    return wrong(about, `${person} ${what}, and has to be named by id.`, `Name them as ${id}, with guests: true.`);
  return guests ? null : wrong(about, `${person} ${what}, and guests is false.`, 'Set guests: true, or name a member.');
}
