import { setTimeout as delay } from 'node:timers/promises';
import { type MessageContent, mrkdwnOf } from '../ui/message-text/message-content.ts';
import { mentionsIn, readableText } from '../ui/message-text/readable-text.ts';
import type { ListenerContext } from './listener-context.ts';

type Ports = Pick<ListenerContext, 'people' | 'directory' | 'client'>;

/** The rest of many mentions are shown by what Slack says in the text itself. */
const MOST_LOOKED_UP = 20;
/** A modal can be opened for three seconds only, and others look up more than this. */
const WAIT_MS = 1_000;

/** What a message says, as people would type it, with those whom it mentions by their names. Never throws. */
export async function findMessageText(ports: Ports, content: MessageContent): Promise<string> {
  const mrkdwn = mrkdwnOf(content);
  const named = mentionsIn(mrkdwn)
    .slice(0, MOST_LOOKED_UP)
    .map(async (mention) => {
      const name = nameOf(ports, mention).catch(() => null);
      return [mention.id, await Promise.race([name, delay(WAIT_MS, null, { ref: false })])] as const;
    });
  const names = new Map(await Promise.all(named));
  return readableText(mrkdwn, (id) => names.get(id) ?? null);
}

/** Null, or the id, where Slack can't tell. */
async function nameOf(
  { people, directory, client }: Ports,
  { kind, id }: { kind: 'person' | 'channel' | 'group'; id: string },
): Promise<string | null> {
  switch (kind) {
    case 'person':
      return known(id, await people.nameOf({ id, name: id }));
    case 'group':
      return known(id, (await directory.approverNames([{ kind: 'group', name: id }]))(id));
    case 'channel': {
      const { channel } = await client.conversations.info({ channel: id });
      // To those who aren't in it, Slack doesn't show the name of a private channel.
      return channel?.is_private === false ? (channel.name ?? null) : null;
    }
  }
}

/** What isn't known may still stand beside the id, as a label. */
function known(id: string, name: string): string | null {
  return name === id ? null : name;
}
