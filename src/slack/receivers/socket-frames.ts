import type { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';

/** Why Slack dismisses a connection. https://docs.slack.dev/apis/events-api/using-socket-mode */
export const DISMISSALS = ['warning', 'refresh_requested', 'link_disabled', 'too_many_websockets', 'other'] as const;
export type Dismissal = (typeof DISMISSALS)[number];

/** Whether the connection goes on for about ten seconds, in which another one is to take its place. */
export function leavesTime(dismissal: Dismissal): boolean {
  return dismissal === 'warning' || dismissal === 'refresh_requested';
}

/** The frames that Slack sends. https://docs.slack.dev/apis/events-api/using-socket-mode */
const FRAME = z.union([
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('disconnect'), reason: z.enum(DISMISSALS).catch('other') }),
  z.object({ type: z.enum(['slash_commands', 'interactive']), envelope_id: z.string(), payload: z.object({}) }),
  z.object({
    type: z.literal('events_api'),
    envelope_id: z.string(),
    payload: z.object({ event: z.object({ type: z.string() }) }),
  }),
]);

/**
 * Hides two kinds of frames from the client: those of unknown shape, which it reads unchecked in an async listener, whose
 * unhandled rejection would end the process; and dismissals that leave time, upon which it would close the connection at once.
 * Tells what the client doesn't: why Slack dismisses the connection. This relies on internals of @slack/socket-mode, pinned by
 * test/slack/receivers/socket-frames.test.ts.
 */
export function filterFrames(
  client: SocketModeClient,
  { onIgnored, onDismissed = () => {} }: { onIgnored: () => void; onDismissed?: (reason: Dismissal) => void },
): void {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    const frame = readFrame(data);
    if (!frame) return onIgnored();
    if (frame.type === 'disconnect') {
      onDismissed(frame.reason);
      if (leavesTime(frame.reason)) return;
    }
    for (const listener of listeners) listener.call(client, data, isBinary);
  });
}

function readFrame(data: unknown): z.infer<typeof FRAME> | null {
  if (typeof data !== 'string') return null;
  try {
    return FRAME.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
