// Slack's people and groups, for programs beside the bot.

import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Directory } from '../core/ports.ts';
import { fetchIdentity, type Identity } from '../slack/api/identity.ts';
import { createPeople, createSlackUsers } from '../slack/api/users.ts';
import { createWorkspaces, type Workspaces } from '../slack/api/workspaces.ts';
import { createDirectory, createLookUps, type SlackDirectory } from '../slack/directory/directory.ts';
import { createApproverNames } from '../slack/directory/names.ts';

export interface ConnectedDirectory {
  identity: Identity;
  workspaces: Workspaces;
  directory: Directory & Pick<SlackDirectory, 'approverNames'>;
}

/** Rejects if Slack can't be reached, or refuses the token. */
export async function connectDirectory(client: WebClient, log: Logger): Promise<ConnectedDirectory> {
  const identity = await fetchIdentity(client);
  const workspaces = createWorkspaces(client, identity);
  const slackUsers = createSlackUsers(client);
  const lookUps = createLookUps(client, { slackUsers, workspaces });
  const people = createPeople(slackUsers, identity.installation);
  return {
    identity,
    workspaces,
    directory: {
      ...createDirectory(lookUps, { identity, log }),
      approverNames: createApproverNames(lookUps, { people, log }),
    },
  };
}
