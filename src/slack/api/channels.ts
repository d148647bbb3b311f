import type { ConversationsInfoResponse, WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import type { Millis } from '../../core/values/time.ts';
import { PAGE_LIMIT } from '../ui/limits.ts';
import { callFailureOf, isTokenError, mayPassSoon, slackErrorName } from './errors.ts';
import type { Identity } from './identity.ts';
import { RecentAnswers } from './recent-answers.ts';
import { soon } from './soon.ts';
import { inEach, type WorkspaceArguments, type Workspaces } from './workspaces.ts';

// Asks Slack about channels: whether the bot can post there, who sees it, and who is a member.

export type PostingTrouble = 'not-in-channel' | 'archived' | 'direct-message' | 'read-only' | 'no-access' | 'other';

/** Tells whether people of other organisations see a channel. `shared`: they do, or soon will. `unknown`: Slack can't tell. */
export const SHARINGS = ['own', 'shared', 'unknown'] as const;
export type Sharing = (typeof SHARINGS)[number];

interface StartPlace {
  /** Null if the bot can post there. */
  trouble: PostingTrouble | null;
  sharing: Sharing;
  /** Public channels are open to the workspace; `unknown` if Slack can't tell. */
  privacy: 'public' | 'private' | 'unknown';
  /** The channel's name without #; null if Slack can't tell. */
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
 * Finds out before a run starts whether the bot can post in a channel, so that no crew works with nowhere to report, and who sees the
 * channel. If Slack can't tell (an outage, a missing scope), there is no trouble: posting the root message will show.
 */
export async function findStartPlace(client: WebClient, identity: Identity, channelId: string): Promise<StartPlace> {
  try {
    const { channel } = await client.conversations.info({ channel: channelId });
    const sharing = channel?.is_ext_shared || channel?.is_pending_ext_shared ? 'shared' : 'own';
    const name = channel?.name ?? null;
    return { trouble: troubleIn(channel, identity), sharing, privacy: privacyOf(channel), name };
  } catch (error) {
    const trouble = TROUBLES[slackErrorName(error) ?? ''] ?? null;
    // An id with D is a direct message: the bot's own, or one between two people, to which the bot can't be invited.
    if (!channelId.startsWith('D')) return { trouble, sharing: 'unknown', privacy: 'unknown', name: null };
    const direct = trouble === 'not-in-channel' ? 'direct-message' : trouble;
    return { trouble: direct, sharing: 'own', privacy: 'private', name: null };
  }
}

function privacyOf(channel: Channel | undefined): StartPlace['privacy'] {
  if (channel?.is_private === undefined) return 'unknown';
  return channel.is_private ? 'private' : 'public';
}

/** Returns true if everybody in the workspace can read a channel. A channel that the bot can't see is private. Null if Slack can't tell. */
export async function isPublic(client: WebClient, channel: string): Promise<boolean | null> {
  try {
    return privacyOf((await client.conversations.info({ channel })).channel) === 'public';
  } catch (error) {
    return mayPassSoon(error) || isTokenError(slackErrorName(error)) ? null : false;
  }
}

function troubleIn(channel: Channel | undefined, { scopes }: Identity): PostingTrouble | null {
  if (channel?.is_archived) return 'archived';
  if (channel?.is_im || channel?.is_member !== false) return null;
  const mayPostPublicly = scopes.has('chat:write.public') && !channel.is_private;
  return mayPostPublicly ? null : 'not-in-channel';
}

/** Slack reports messages only with this scope, and only to members. https://docs.slack.dev/reference/scopes/metadata.message.read */
const REPORTS_MESSAGES = 'metadata.message:read';

/** Returns true if Slack reports our own messages in a channel; null if it doesn't say whether the bot is a member. */
export async function reportsMessages(
  client: WebClient,
  { scopes }: Identity,
  channel: string,
): Promise<boolean | null> {
  return scopes.has(REPORTS_MESSAGES) ? isMember(client, channel) : false;
}

export async function isMember(client: WebClient, channel: string): Promise<boolean | null> {
  try {
    return (await client.conversations.info({ channel })).channel?.is_member === true;
  } catch (error) {
    return slackErrorName(error) === 'channel_not_found' ? false : null;
  }
}

/** The form of Slack's ids: https://docs.slack.dev/reference/objects/conversation-object */
const CHANNEL_ID = /^[CGD][A-Z0-9]{2,}$/;

interface ChannelSource {
  client: WebClient;
  workspaces: Workspaces;
}

/**
 * Resolves to the id of a channel, given by id or by name with or without #; null if the bot sees none. The first of several workspaces
 * that has this name counts. Throws what the client throws.
 */
export async function findChannel(source: ChannelSource, idOrName: string): Promise<string | null> {
  return new ChannelIds(source).find(idOrName);
}

const KEEP_MS = 10 * 60_000;
/** A channel may be created a moment after somebody asked for its name. */
const KEEP_MISSING_MS = 60_000;

interface Listing {
  ids: Map<string, string>;
  /** The next page: Slack may refuse a page when it is asked too often, and then reading goes on there. */
  cursor: string;
  isWhole: boolean;
  begunAt: Millis;
  /** The page that is being read. Simultaneous readers share it. */
  page: Promise<void> | null;
}

/** Finds channels by their names in Slack's list of all channels, which it keeps for some minutes. */
export class ChannelIds {
  readonly #source: ChannelSource;
  readonly #listings = new Map<string, Listing>();

  constructor(source: ChannelSource) {
    this.#source = source;
  }

  async find(idOrName: string): Promise<string | null> {
    if (CHANNEL_ID.test(idOrName)) return idOrName;
    const name = idOrName.replace(/^#/, '');
    const [id = null] = await inEach(this.#source.workspaces, (workspace) => this.#findIn(workspace, name));
    return id;
  }

  /** Makes the next look-up read the list anew, because a channel got another name. */
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
    const recent = this.#listings.get(key);
    const isMissing = recent?.isWhole && !recent.ids.has(name);
    const now = performance.now();
    if (recent && now - recent.begunAt < (isMissing ? KEEP_MISSING_MS : KEEP_MS)) return recent;
    const listing = { ids: new Map<string, string>(), cursor: '', isWhole: false, begunAt: now, page: null };
    this.#listings.set(key, listing);
    return listing;
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
      // Slack may no longer accept the cursor.
      if (callFailureOf(error).kind === 'refused') this.forget();
      throw error;
    }
  }
}

const MAX_CHANNELS = 2_000;
/** Leaves most of Slack's limit to others. https://docs.slack.dev/reference/methods/conversations.info */
const AT_ONCE = 2;
/** The time that a person waits for names. */
const PATIENCE_MS = 400;

/** Finds the names of channels, without #, by their ids. */
export class ChannelNames {
  readonly #names: RecentAnswers<string | null>;

  constructor(client: WebClient) {
    const limit = pLimit(AT_ONCE);
    this.#names = new RecentAnswers((id) => limit(() => fetchName(client, id)), { most: MAX_CHANNELS });
  }

  /** Leaves out channels whose names Slack doesn't give soon; the next search may find them. Never throws. */
  async find(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    const look = async (id: string) => {
      const name = await this.#names.find(id, KEEP_MS).catch(() => null);
      if (name !== null) names.set(id, name);
    };
    await soon(PATIENCE_MS, Promise.all([...new Set(ids)].map(look)), null);
    return new Map(names);
  }

  renamed(id: string, name: string): void {
    this.#names.learn(id, name);
  }
}

/** Fetches a channel's name; null if the bot can't see the channel. */
async function fetchName(client: WebClient, channel: string): Promise<string | null> {
  try {
    return (await client.conversations.info({ channel })).channel?.name ?? null;
  } catch (error) {
    if (slackErrorName(error) === 'channel_not_found') return null;
    throw error;
  }
}
