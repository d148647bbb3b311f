import { isContentRefusal } from './errors.ts';

/**
 * Sends the first of these renderings that Slack doesn't refuse for its content. Throws what the client throws, the last
 * refusal if there are no more.
 */
export async function sendAccepted<Content, Answer>(
  renderings: Iterable<Content>,
  send: (content: Content) => Promise<Answer>,
): Promise<Answer> {
  let refusal: unknown;
  for (const content of renderings) {
    try {
      return await send(content);
    } catch (error) {
      if (!isContentRefusal(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
