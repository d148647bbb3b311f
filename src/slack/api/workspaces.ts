import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Millis } from '../../core/values/time.ts';
import { PAGE_LIMIT } from '../ui/limits.ts';
import { slackErrorName } from './errors.ts';
import type { Installation } from './identity.ts';
import { RecentAnswers } from './recent-answers.ts';

// Finds the workspaces that the app may act in: its own, or those of an organisation that an admin added it to.

/**
 * Arguments of a method that covers one workspace at a time, such as `conversations.list`. The token of a single workspace needs none.
 * https://api.slack.com/enterprise/apps/changes-apis#methods
 */
export interface WorkspaceArguments {
  team_id?: string;
}

/** Resolves to the arguments for each workspace, a minute old at most. Rejects if Slack can't tell. */
export type Workspaces = () => Promise<readonly WorkspaceArguments[]>;

const KEEP_MS = 60_000;

export function createWorkspaces(
  client: WebClient,
  { installation, now }: { installation: Installation; now?: () => Millis },
): Workspaces {
  switch (installation.kind) {
    case 'workspace':
      return async () => [{}];
    case 'organisation': {
      const recent = new RecentAnswers(() => fetchWorkspaces(client), { most: 1, now });
      return async () => (await recent.find('all', KEEP_MS)).map(({ id }) => ({ team_id: id }));
    }
  }
}

/** Asks about each workspace at once. A workspace that has just removed the app has nothing. Rejects if another one can't be asked. */
export async function inEach<Found>(
  workspaces: Workspaces,
  ask: (workspace: WorkspaceArguments) => Promise<Found[]>,
): Promise<Found[]> {
  const answers = (await workspaces()).map((workspace) =>
    ask(workspace).catch((error: unknown) => {
      if (slackErrorName(error) === 'team_access_not_granted') return [];
      throw error;
    }),
  );
  return (await Promise.all(answers)).flat();
}

const PAGE = z.object({
  teams: z.array(z.object({ id: z.string().min(1), name: z.string().default('') })),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

/** Fetches the workspaces of an organisation that the app was added to. https://docs.slack.dev/reference/methods/auth.teams.list */
export async function fetchWorkspaces(client: WebClient): Promise<{ id: string; name: string }[]> {
  const teams: { id: string; name: string }[] = [];
  let cursor = '';
  do {
    const page = PAGE.parse(await client.auth.teams.list({ limit: PAGE_LIMIT, ...(cursor !== '' && { cursor }) }));
    teams.push(...page.teams);
    cursor = page.response_metadata.next_cursor;
  } while (cursor !== '');
  return teams;
}
