import { type Approver, parseApprover } from '../../../src/core/policy/policy.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import type { Installation } from '../../../src/slack/api/identity.ts';
import { createPeople, createSlackUsers } from '../../../src/slack/api/users.ts';
import { createWorkspaces } from '../../../src/slack/api/workspaces.ts';
import { createDirectory, createLookUps } from '../../../src/slack/directory/directory.ts';
import { createApproverNames, createMentionsOf } from '../../../src/slack/directory/names.ts';
import { createUserGroups } from '../../../src/slack/directory/user-groups.ts';
import { readableLog, silent } from '../../crew/crew-values.ts';

type UserGroupsOptions = NonNullable<Parameters<typeof createUserGroups>[1]>;

const HOME: Installation = { kind: 'workspace', teamId: 'T0SANDBOX1' };

/** All that asks a Slack about people, as the bot puts it together. */
export function asking(
  { apiUrl, botToken }: { apiUrl: string; botToken: string },
  {
    installation = HOME,
    waitMs = 2_000,
    ...groups
  }: { installation?: Installation; waitMs?: number } & Pick<UserGroupsOptions, 'changes' | 'limiter'> = {},
) {
  const clock = { now: 0 };
  const log = readableLog();
  const { interactive } = createSlackClients({ token: botToken, apiUrl, logger: slackLogger(silent) });
  const now = () => clock.now;
  const slackUsers = createSlackUsers(interactive, { now });
  const workspaces = createWorkspaces(interactive, { installation, now });
  const userGroups = createUserGroups(interactive, { workspaces, now, ...groups });
  const lookUps = createLookUps(interactive, { slackUsers, workspaces, userGroups, now });
  const people = createPeople(slackUsers, installation);
  return {
    clock,
    log,
    people,
    directory: createDirectory(lookUps, { identity: { installation }, log: log.log, waitMs }),
    mentionsOf: createMentionsOf(lookUps, log.log),
    approverNames: createApproverNames(lookUps, { people, log: log.log }),
  };
}

export function approver(name: string): Approver {
  const parsed = parseApprover(name);
  if (!parsed) throw new Error(`${name} is no approver`);
  return parsed;
}
