import { z } from 'zod';
import { parseRequest } from './parse-request.ts';
import { type OpenView, openView, viewSchema } from './submission.ts';

/** Something that Slack tells us of. https://docs.slack.dev/reference/events */
export interface SlackEvent {
  type: string;
  /** The id of the person who did it; empty if nobody did. */
  userId: string;
  /** The tab that was opened; empty for other events. */
  tab: string;
  /** What the Home tab shows; null if it is no event of one, or one that shows nothing yet. */
  home: OpenView | null;
}

const eventSchema = z.object({
  event: z.object({
    type: z.string().default(''),
    // Some events have an object here.
    user: z.string().catch(''),
    tab: z.string().catch(''),
    view: viewSchema.nullish().catch(null),
  }),
});

/** @throws {UnreadableRequest} if the body isn't an event */
export function readEvent(body: unknown): SlackEvent {
  const { type, user, tab, view } = parseRequest(eventSchema, body).event;
  return { type, userId: user, tab, home: view ? openView(view) : null };
}
