import { isContentRefusal } from './errors.ts';

/** Sends the first of these that Slack doesn't refuse for its content. Throws what the client throws. */
export async function sendAccepted<Content, Answer>(
  [content, ...plainer]: [Content, ...Content[]],
  send: (content: Content) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(content);
  } catch (error) {
    const [next, ...rest] = plainer;
    if (next === undefined || !isContentRefusal(error)) throw error;
    return sendAccepted([next, ...rest], send);
  }
}
