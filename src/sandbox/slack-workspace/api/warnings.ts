import { type Json, type JsonObject, objectAt } from '../json.ts';

/** What was wrong with a call that succeeds all the same. */
export type Warning = {
  code: string;
  /** For people who read the answer. */
  message?: string;
};

/**
 * An answer with its warnings: the codes in `warning`, separated by commas, and in `response_metadata`.
 * https://docs.slack.dev/apis/web-api#evaluating-responses,
 * https://docs.slack.dev/changelog/2018-truncating-really-long-messages
 */
export function withWarnings(body: JsonObject, warnings: readonly Warning[]): JsonObject {
  if (warnings.length === 0) return body;
  const codes = warnings.map(({ code }) => code);
  const messages: Json[] = warnings.flatMap(({ message }) => (message === undefined ? [] : `[WARN] ${message}`));
  const metadata = objectAt(body, 'response_metadata') ?? {};
  const said = Array.isArray(metadata.messages) ? metadata.messages : [];
  return {
    ...body,
    warning: codes.join(','),
    response_metadata: {
      ...metadata,
      ...(said.length + messages.length > 0 && { messages: [...said, ...messages] }),
      warnings: codes,
    },
  };
}
