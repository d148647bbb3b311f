import type { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';

/** The frames that Slack sends. https://docs.slack.dev/apis/events-api/using-socket-mode */
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
 * Hides frames of unknown shape from the client. It reads them unchecked in an async listener, whose unhandled rejection would
 * end the process. This relies on internals of @slack/socket-mode, pinned by test/slack/transport/socket-frames.test.ts.
 */
export function ignoreUnknownFrames(client: SocketModeClient, onIgnored: () => void): void {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    if (!isKnown(data)) return onIgnored();
    for (const listener of listeners) listener.call(client, data, isBinary);
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
