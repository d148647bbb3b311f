import type { JsonObject } from '../json.ts';
import type { Tier } from '../runtime/rate-limits.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';

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
  /** Applies the call. Throws `ApiError` to refuse it; `reportRule` records what Slack accepts but handles unexpectedly. */
  run(workspace: Workspace, args: JsonObject, reportRule: ReportRule): JsonObject;
};

/** Records a rule broken by an accepted call in the wire log. */
export type ReportRule = (broken: BrokenRule) => void;

export type ApiMethods = { [name: string]: ApiMethod };
