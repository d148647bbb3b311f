import type { ConversationsInfoResponse, WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import type { Millis } from '../../core/values/time.ts';
import { PAGE_LIMIT } from '../ui/limits.ts';
import { callFailureOf, isTokenError, mayPassSoon, slackErrorName } from './errors.ts';
import type { Identity } from './identity.ts';
import { RecentAnswers } from './recent-answers.ts';
import { soon } from './soon.ts';
import { inEach, type WorkspaceArguments, type Workspaces } from './workspaces.ts';

export type PostingTrouble = 'not-in-channel' | 'archived' | 'direct-message' | 'read-only' | 'no-access' | 'other';

/** Whether people of other organisations see what is posted in a channel: no, yes or soon, or Slack can't tell. */
export const SHARINGS = ['own', 'shared', 'unknown'] as const;
export type Sharing = (typeof SHARINGS)[number];

interface StartPlace {
  /** Null if the bot can post there. */
  trouble: PostingTrouble | null;
  sharing: Sharing;
  /** Whether only its members see it; `unknown` if Slack can't tell. */
  privacy: 'public' | 'private' | 'unknown';
  /** What the channel is called, without #; null if Slack can't tell. */
  name: string | null;
}

type Channel = NonNullable<ConversationsInfoResponse['channel']>;

const TROUBLES: Record<string, PostingTrouble> = {
  channel_not_found: 'not-in-channel',
  not_in_channel: 'not-in-channel',
  is_archived: 'archived',
  team_access_not_granted: 'no-access',
  method_not_supported_for_channel_type: 'direct-message',
};

/**
 * Whether the bot can post in a channel, and who sees it. Asked before a run starts, so that no crew works with nowhere to
 * report. If Slack can't tell (an outage, a missing scope), there is no trouble: posting the root message will show.
 */
export async function findStartPlace(client: WebClient, identity: Identity, channel: string): Promise<StartPlace> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    const sharing = found?.is_ext_shared || found?.is_pending_ext_shared ? 'shared' : 'own';
    return { trouble: troubleIn(found, identity), sharing, privacy: privacyOf(found), name: found?.name ?? null };
  } catch (error) {
    const trouble = TROUBLES[slackErrorName(error) ?? ''] ?? null;
    // An id that begins with D is a direct message: one between two people, to which the bot can't be invited, or its own.
    if (!channel.startsWith('D')) return { trouble, sharing: 'unknown', privacy: 'unknown', name: null };
    return {
      trouble: trouble === 'not-in-channel' ? 'direct-message' : trouble,
      sharing: 'own',
      privacy: 'private',
      name: null,
    };
  }
}

function privacyOf(found: Channel | undefined): StartPlace['privacy'] {
  if (found?.is_private === undefined) return 'unknown';
  return found.is_private ? 'private' : 'public';
}

/** Whether everybody in the workspace can read a channel; a channel that we can't see is private. Null while Slack can't tell. */
export async function isPublic(client: WebClient, channel: string): Promise<boolean | null> {
  try {
    return privacyOf((await client.conversations.info({ channel })).channel) === 'public';
  } catch (error) {
    return mayPassSoon(error) || isTokenError(slackErrorName(error)) ? null : false;
  }
}

function troubleIn(found: Channel | undefined, { scopes }: Identity): PostingTrouble | null {
  if (found?.is_archived) return 'archived';
  if (found?.is_im || found?.is_member !== false) return null;
  const mayPostPublicly = scopes.has('chat:write.public') && !found.is_private;
  return mayPostPublicly ? null : 'not-in-channel';
}

/** Without it, or where the bot isn't a member, Slack doesn't tell of messages. https://docs.slack.dev/reference/scopes/metadata.message.read */
const TELLS_OF_MESSAGES = 'metadata.message:read';

/** Whether Slack tells us of our messages in a channel; null if it doesn't say whether we are a member. */
export async function isTold(client: WebClient, { scopes }: Identity, channel: string): Promise<boolean | null> {
  return scopes.has(TELLS_OF_MESSAGES) ? isMember(client, channel) : false;
}

/** Whether the bot is in a channel; null if Slack doesn't say. */
export async function isMember(client: WebClient, channel: string): Promise<boolean | null> {
  try {
    return (await client.conversations.info({ channel })).channel?.is_member === true;
  } catch (error) {
    return slackErrorName(error) === 'channel_not_found' ? false : null;
  }
}

/** Ids as Slack makes them: https://docs.slack.dev/reference/objects/conversation-object */
const CHANNEL_ID = /^[CGD][A-Z0-9]{2,}$/;

interface ChannelSource {
  client: WebClient;
  workspaces: Workspaces;
}

/**
 * The id of a channel given by id or name (with or without #), or null if the bot sees none. Of several workspaces, the first
 * that has one of this name counts. Throws what the client throws.
 */
export async function findChannel(source: ChannelSource, idOrName: string): Promise<string | null> {
  return new ChannelIds(source).find(idOrName);
}

const KEEP_MS = 10 * 60_000;
/** A channel may be made a moment after its name was asked for. */
const KEEP_MISSING_MS = 60_000;

/** The channels of a workspace by their names, as far as the list of them was read. */
interface Listing {
  ids: Map<string, string>;
  /** Where to go on reading: Slack may refuse a page for being asked too often. */
  cursor: string;
  isWhole: boolean;
  begunAt: Millis;
  /** The page that is being read, which those who look at the same time share. */
  page: Promise<void> | null;
}

/** Finds channels by their names, which takes the list of all of them; a name that was found is kept for some minutes. */
export class ChannelIds {
  readonly #source: ChannelSource;
  readonly #listings = new Map<string, Listing>();

  constructor(source: ChannelSource) {
    this.#source = source;
  }

  /** As `findChannel` does. */
  async find(idOrName: string): Promise<string | null> {
    if (CHANNEL_ID.test(idOrName)) return idOrName;
    const name = idOrName.replace(/^#/, '');
    const [found = null] = await inEach(this.#source.workspaces, (workspace) => this.#findIn(workspace, name));
    return found;
  }

  /** Reads the list anew for the next who asks: a channel isn't called any more what it was. */
  forget(): void {
    this.#listings.clear();
  }

  async #findIn(workspace: WorkspaceArguments, name: string): Promise<string[]> {
    const listing = this.#listingOf(workspace, name);
    for (;;) {
      const id = listing.ids.get(name);
      if (id !== undefined) return [id];
      if (listing.isWhole) return [];
      listing.page ??= this.#readPage(listing, workspace).finally(() => {
        listing.page = null;
      });
      await listing.page;
    }
  }

  #listingOf(workspace: WorkspaceArguments, name: string): Listing {
    const key = workspace.team_id ?? '';
    const known = this.#listings.get(key);
    const isMissing = known?.isWhole && !known.ids.has(name);
    if (known && performance.now() - known.begunAt < (isMissing ? KEEP_MISSING_MS : KEEP_MS)) return known;
    const begun = {
      ids: new Map<string, string>(),
      cursor: '',
      isWhole: false,
      begunAt: performance.now(),
      page: null,
    };
    this.#listings.set(key, begun);
    return begun;
  }

  async #readPage(listing: Listing, workspace: WorkspaceArguments): Promise<void> {
    try {
      const page = await this.#source.client.conversations.list({
        types: 'public_channel,private_channel',
        exclude_archived: true,
        limit: PAGE_LIMIT,
        ...workspace,
        ...(listing.cursor !== '' && { cursor: listing.cursor }),
      });
      for (const { name, id } of page.channels ?? [])
        if (name && id && !listing.ids.has(name)) listing.ids.set(name, id);
      listing.cursor = page.response_metadata?.next_cursor ?? '';
      listing.isWhole = listing.cursor === '';
    } catch (error) {
      // Slack may not know the cursor any more.
      if (callFailureOf(error).kind === 'refused') this.forget();
      throw error;
    }
  }
}

const MAX_CHANNELS = 2_000;
/** Leaves most of Slack's limit to others. https://docs.slack.dev/reference/methods/conversations.info */
const AT_ONCE = 2;
/** A person waits. */
const PATIENCE_MS = 400;

/** The names of channels, without #, by their ids. */
export class ChannelNames {
  readonly #names: RecentAnswers<string | null>;

  constructor(client: WebClient) {
    const limit = pLimit(AT_ONCE);
    this.#names = new RecentAnswers((id) => limit(() => fetchName(client, id)), { most: MAX_CHANNELS });
  }

  /** Without those that Slack doesn't tell soon, which the next who asks may find. Never throws. */
  async find(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const look = async (id: string) => {
      const name = await this.#names.find(id, KEEP_MS).catch(() => null);
      if (name !== null) found.set(id, name);
    };
    await soon(PATIENCE_MS, Promise.all([...new Set(ids)].map(look)), null);
    return new Map(found);
  }

  renamed(id: string, name: string): void {
    this.#names.learn(id, name);
  }
}

/** Null if the bot can't see the channel. */
async function fetchName(client: WebClient, channel: string): Promise<string | null> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    return found?.name ?? null;
  } catch (error) {
    if (slackErrorName(error) === 'channel_not_found') return null;
    throw error;
  }
}
