// The type of a Web API method, and the warnings that its answer may carry.

import { type Json, type JsonObject, objectAt } from '../json.ts';
import type { Tier } from '../runtime/rate-limits.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';

export type ApiMethod = {
  /** The kind of token it accepts; `none` for a method that needs no token. */
  token: 'bot' | 'app' | 'any' | 'none';
  /** The token needs one of these; an empty list accepts any token. */
  scopes: readonly string[];
  tier: Tier;
  /** Returns the key that rate limits count by besides the method, such as the channel. */
  limitedBy?: (args: JsonObject) => string;
  /** True if arguments may come as a JSON body. https://docs.slack.dev/apis/web-api#post_bodies */
  takesJson: boolean;
  /**
   * True if a call with the token of an organisation must name a workspace by `team_id`.
   * https://api.slack.com/enterprise/apps/changes-apis#methods
   */
  isOfWorkspace?: true;
  /** The call is refused unless it is a `POST`. */
  isPostOnly?: true;
  /** Applies the call. Throws `ApiError` to refuse it. */
  run(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject;
};

/** The warnings of an accepted call, and the facts about its token. */
export type Remarks = {
  /** Records a rule that it broke in the wire log: Slack accepts this but handles it unexpectedly. */
  rule(broken: BrokenRule): void;
  /** Warns the app in the answer. */
  warning(warning: Warning): void;
  /** The kind of token that it came with. */
  readonly token: 'bot' | 'app';
  /** The custom step, if the call has its token. */
  readonly executionId: string | undefined;
};

export type ApiMethods = { [name: string]: ApiMethod };

/** A warning about a call that succeeds all the same. */
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
  const texts = Array.isArray(metadata.messages) ? metadata.messages : [];
  return {
    ...body,
    warning: codes.join(','),
    response_metadata: {
      ...metadata,
      ...(texts.length + messages.length > 0 && { messages: [...texts, ...messages] }),
      warnings: codes,
    },
  };
}
