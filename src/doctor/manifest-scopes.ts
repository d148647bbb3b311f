import { parse } from 'yaml';
import { z } from 'zod';

/** The scopes of the Slack app: those that the bot can't do without, and those that it can. */
export interface ManifestScopes {
  required: string[];
  optional: string[];
}

const MANIFEST = z.object({
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
  }),
});

/** Reads them from the manifest that the app is created from. Throws where that is none. */
export function manifestScopes(text: string): ManifestScopes {
  const { bot, bot_optional: optional } = MANIFEST.parse(parse(text)).oauth_config.scopes;
  return { required: bot.filter((scope) => !optional.includes(scope)), optional };
}
