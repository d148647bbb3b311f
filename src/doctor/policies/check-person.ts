import { accountOf } from '../../slack/directory/account.ts';
import { type Finding, wrong } from '../finding.ts';
import type { PolicyContext } from './policy-context.ts';
import type { RuleSet } from './rule-sets.ts';

interface NamedPerson {
  id: string;
  /** As the policy names them. */
  name: string;
  namedBy: 'id' | 'e-mail';
}

/** Checks that a person whom a policy names exists and isn't barred. Null if so. Throws if Slack can't tell. */
export async function checkPerson(
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
