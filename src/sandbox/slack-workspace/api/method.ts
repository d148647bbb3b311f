import type { JsonObject } from '../json.ts';
import type { Tier } from '../runtime/rate-limits.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';

/** One Web API method. */
export type ApiMethod = {
  /** Which kind of token it takes. */
  token: 'bot' | 'app';
  /** The token needs one of these; none: any token will do. */
  scopes: readonly string[];
  tier: Tier;
  /** What the limit is counted by beside the method, e.g. the channel. */
  limitedBy?: (args: JsonObject) => string;
  /** Whether arguments may come as a JSON body. https://docs.slack.dev/apis/web-api#post_bodies */
  takesJson: boolean;
  /** Applies the call. Throws `ApiError` for a refusal; notes what Slack takes but doesn't do as the app may think. */
  run(workspace: Workspace, args: JsonObject, note: Note): JsonObject;
};

/** Writes a rule that an accepted call broke into the wire log. */
export type Note = (broken: BrokenRule) => void;

export type ApiMethods = { [name: string]: ApiMethod };
