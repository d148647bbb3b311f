import type { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';

/** What Slack sends: https://docs.slack.dev/apis/events-api/using-socket-mode */
const FRAME = z.union([
  z.object({ type: z.enum(['hello', 'disconnect']) }),
  z.object({ type: z.enum(['slash_commands', 'interactive']), envelope_id: z.string(), payload: z.object({}) }),
  z.object({
    type: z.literal('events_api'),
    envelope_id: z.string(),
    payload: z.object({ event: z.object({ type: z.string() }) }),
  }),
]);

/**
 * Lets the client see only frames of shapes that it knows: it reads any other one without looking, and its rejection, which
 * nobody handles, ends a process.
 */
export function ignoreUnknownFrames(client: SocketModeClient, onIgnored: () => void): void {
  const readers = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    if (!isKnown(data)) return onIgnored();
    for (const read of readers) read.call(client, data, isBinary);
  });
}

function isKnown(data: unknown): boolean {
  if (typeof data !== 'string') return false;
  try {
    return FRAME.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
