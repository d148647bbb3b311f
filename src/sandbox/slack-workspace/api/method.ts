import type { JsonObject } from '../json.ts';
import type { Tier } from '../runtime/rate-limits.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';
import type { Warning } from './warnings.ts';

/** One Web API method. */
export type ApiMethod = {
  /** The kind of token it accepts. */
  token: 'bot' | 'app';
  /** The token needs one of these; an empty list accepts any token. */
  scopes: readonly string[];
  tier: Tier;
  /** What rate limits are counted by besides the method, e.g. the channel. */
  limitedBy?: (args: JsonObject) => string;
  /** Whether arguments may come as a JSON body. https://docs.slack.dev/apis/web-api#post_bodies */
  takesJson: boolean;
  /** The call is refused unless it is a `POST`. */
  isPostOnly?: true;
  /** Applies the call. Throws `ApiError` to refuse it. */
  run(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject;
};

/** What there is to say about an accepted call. */
export type Remarks = {
  /** Records a rule that it broke in the wire log: Slack accepts this but handles it unexpectedly. */
  rule(broken: BrokenRule): void;
  /** Warns the app in the answer. */
  warning(warning: Warning): void;
};

export type ApiMethods = { [name: string]: ApiMethod };
