// Finds the person that somebody names on a command line by id, handle, name or e-mail address.

import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { parseApprover } from '../core/policy/policy.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import { oneLine } from '../core/values/text.ts';
import { slackErrorName } from '../slack/api/errors.ts';
import { fetchIdentity } from '../slack/api/identity.ts';
import { createWorkspaces, inEach, type WorkspaceArguments } from '../slack/api/workspaces.ts';
import { fetchIdByEmail } from '../slack/directory/directory.ts';

/**
 * Returns the id of the person. A refusal is a whole sentence that begins with the typed text, such as `@maria stands for nobody
 * in Slack.`
 * @param client null without a bot token; then only an id works
 */
export async function findPerson(text: string, client: WebClient | null): Promise<Result<string, string>> {
  const typed = oneLine(text);
  const id = /^<@([A-Z0-9]+)(\|[^>]*)?>$/.exec(typed)?.[1] ?? typed;
  if (parseApprover(id)?.kind === 'person') return ok(id);
  if (client === null)
    return refuse(
      `${typed} takes Slack: set SLACK_BOT_TOKEN, or give the person’s id (U0123ABC; their profile, ⋯, Copy member ID).`,
    );
  try {
    if (parseApprover(typed)?.kind !== 'email') return chosen(typed, await fetchMembers(client));
    const personId = await fetchIdByEmail(client, typed);
    return personId === null ? refuse(`${typed} stands for nobody in Slack.`) : ok(personId);
  } catch (error) {
    const isUnscoped = slackErrorName(error) === 'missing_scope';
    const why = isUnscoped ? 'the app lacks the scope for it' : 'Slack could not be asked';
    return refuse(`${typed} can’t be looked up, since ${why}. An id (U0123ABC) needs no look-up.`);
  }
}

/** Chooses among people whose whole name matches, or else among those with a name that contains the word. */
function chosen(typed: string, members: readonly Member[]): Result<string, string> {
  const wholeName = plain(typed.replace(/^@/, ''));
  const whole = members.filter(({ names }) => names.some((name) => plain(name) === wholeName));
  const matching =
    whole.length > 0 ? whole : members.filter(({ names }) => names.some((name) => wordsIn(name).includes(wholeName)));
  const [first, ...others] = matching;
  if (!first) return refuse(`${typed} stands for nobody in Slack.`);
  if (others.length === 0) return ok(first.id);
  const some = matching.slice(0, MOST_NAMED).map(({ id, names }) => `${oneLine(names[0] ?? '')} (${id})`);
  const more = matching.length > MOST_NAMED ? [`${matching.length - MOST_NAMED} more`] : [];
  return refuse(`${typed} may be any of ${[...some, ...more].join(', ')}. Give the id.`);
}

const MOST_NAMED = 5;

/** Returns a name without case and accents, as people type it. */
function plain(name: string): string {
  return oneLine(name)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

function wordsIn(name: string): string[] {
  return plain(name).split(/[\s.@_-]+/);
}

interface Member {
  id: string;
  /** The name that Slack shows first, other names, and the handle. */
  names: string[];
}

const NAME = z.string().nullish();
const PAGE = z.object({
  members: z.array(
    z.object({
      id: z.string().min(1),
      name: NAME,
      real_name: NAME,
      profile: z.object({ display_name: NAME, real_name: NAME }).default({}),
      is_bot: z.boolean().default(false),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

/** Slack's maximum, because it allows only some twenty calls a minute. */
const AT_ONCE = 1_000;

/** Fetches all people, also those with deactivated accounts. https://docs.slack.dev/reference/methods/users.list */
async function fetchMembers(client: WebClient): Promise<Member[]> {
  const workspaces = createWorkspaces(client, await fetchIdentity(client));
  const members = await inEach(workspaces, (workspace) => fetchMembersOf(client, workspace));
  return [...new Map(members.map((member) => [member.id, member])).values()];
}

async function fetchMembersOf(client: WebClient, workspace: WorkspaceArguments): Promise<Member[]> {
  const members: Member[] = [];
  let cursor = '';
  do {
    const page = PAGE.parse(
      await client.users.list({ limit: AT_ONCE, ...workspace, ...(cursor !== '' && { cursor }) }),
    );
    for (const { id, name, real_name, profile, is_bot: isBot } of page.members) {
      const { display_name, real_name: fullName } = profile;
      const names = [display_name, fullName, real_name, name].flatMap((each) => (each ? [each] : []));
      if (!isBot) members.push({ id, names });
    }
    cursor = page.response_metadata.next_cursor;
  } while (cursor !== '');
  return members;
}
