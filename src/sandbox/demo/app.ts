import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHECKOUT } from '../../setup/commands.mjs';
import type { AppSettings } from '../slack-workspace/runtime/installed-app.ts';

/** What of an app manifest a person sees or the bot depends on. https://docs.slack.dev/reference/app-manifest */
const manifestSchema = z.object({
  display_information: z.object({ name: z.string() }),
  features: z.object({
    bot_user: z.object({ display_name: z.string() }),
    app_home: z.object({ home_tab_enabled: z.boolean() }),
    slash_commands: z.array(z.object({ command: z.string(), description: z.string(), usage_hint: z.string() })),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }) }),
});

type DemoApp = Pick<AppSettings, 'name' | 'handle' | 'commands' | 'homeTab' | 'events' | 'scopes'>;

/** The app as `manifest.yml` describes it, installed without what is optional: what people see is what Slack shows. */
export async function demoApp(): Promise<DemoApp> {
  const { display_information, features, oauth_config } = manifestSchema.parse(
    parse(await readFile(join(CHECKOUT, 'manifest.yml'), 'utf8')),
  );
  const { bot, bot_optional } = oauth_config.scopes;
  return {
    name: display_information.name,
    handle: features.bot_user.display_name,
    commands: features.slash_commands.map(({ command, description, usage_hint }) => ({
      command,
      description,
      usageHint: usage_hint,
    })),
    homeTab: features.app_home.home_tab_enabled,
    events: [],
    scopes: bot.filter((scope) => !bot_optional.includes(scope)),
  };
}
