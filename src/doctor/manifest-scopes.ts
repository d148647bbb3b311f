import { parse } from 'yaml';
import { z } from 'zod';

/** The scopes of the Slack app: those the bot needs, and those it can do without. */
export interface ManifestScopes {
  required: string[];
  optional: string[];
}

const MANIFEST = z.object({
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
  }),
});

/** Reads them from the app's manifest. Throws if it isn't one. */
export function manifestScopes(text: string): ManifestScopes {
  const { bot, bot_optional: optional } = MANIFEST.parse(parse(text)).oauth_config.scopes;
  return { required: bot.filter((scope) => !optional.includes(scope)), optional };
}
