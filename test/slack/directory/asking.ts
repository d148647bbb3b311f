import { type Approver, parseApprover } from '../../../src/core/approval/policy/policy.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import { createPeople, createSlackUsers } from '../../../src/slack/api/users.ts';
import { createDirectory, createLookUps } from '../../../src/slack/directory/directory.ts';
import { createApproverNames, createMentionsOf } from '../../../src/slack/directory/names.ts';
import { createUserGroups } from '../../../src/slack/directory/user-groups.ts';
import { readableLog, silent } from '../../crew/crew-values.ts';

type UserGroupsOptions = NonNullable<Parameters<typeof createUserGroups>[1]>;

export const TEAM = 'T0SANDBOX1';

/** All that asks a Slack about people, as the bot puts it together. */
export function asking(
  { apiUrl, botToken }: { apiUrl: string; botToken: string },
  {
    teamId = TEAM,
    waitMs = 2_000,
    ...groups
  }: { teamId?: string; waitMs?: number } & Pick<UserGroupsOptions, 'changes' | 'limiter'> = {},
) {
  const clock = { now: 0 };
  const log = readableLog();
  const { interactive } = createSlackClients({ token: botToken, apiUrl, logger: slackLogger(silent) });
  const now = () => clock.now;
  const slackUsers = createSlackUsers(interactive, { now });
  const userGroups = createUserGroups(interactive, { now, ...groups });
  const lookUps = createLookUps(interactive, { slackUsers, userGroups, now });
  const people = createPeople(slackUsers);
  return {
    clock,
    log,
    people,
    directory: createDirectory(lookUps, { identity: { teamId }, log: log.log, waitMs }),
    mentionsOf: createMentionsOf(lookUps, log.log),
    approverNames: createApproverNames(lookUps, { people, log: log.log }),
  };
}

export function approver(name: string): Approver {
  const parsed = parseApprover(name);
  if (!parsed) throw new Error(`${name} is no approver`);
  return parsed;
}
