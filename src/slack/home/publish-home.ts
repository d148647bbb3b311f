import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { sendAccepted } from '../api/posts.ts';

interface Published {
  personId: string;
  /** The first of these that Slack takes. */
  views: readonly HomeView[];
  /** Of what the person sees, if only that is to be replaced. */
  hash: string | null;
}

/**
 * Publishes a person's Home; returns the hash of what they see now. Throws what the client throws.
 * https://docs.slack.dev/reference/methods/views.publish
 */
export async function publishHome(client: WebClient, { personId, views, hash }: Published): Promise<string> {
  const place = { user_id: personId, ...(hash !== null && { hash }) };
  const { view } = await sendAccepted(views, (shown) => client.views.publish({ ...place, view: shown }));
  return view?.hash ?? '';
}
