import { parse } from 'yaml';
import { z } from 'zod';
import type { AppSettings } from './installed-app.ts';

/** What a manifest says about an app. */
type DeclaredApp = Pick<
  AppSettings,
  'name' | 'handle' | 'commands' | 'shortcuts' | 'events' | 'homeTab' | 'messagesTab' | 'scopes'
>;

const text = (max: number) => z.string().min(1).max(max);

/** Slack lists at most five of each kind. */
const MOST_SHORTCUTS = 5;

const shortcut = z.object({
  type: z.enum(['global', 'message']),
  name: text(24),
  callback_id: text(255),
  description: text(150),
});

/** The parts that people see or the app depends on, with Slack's limits. https://docs.slack.dev/reference/app-manifest */
const MANIFEST = z.object({
  display_information: z.object({ name: text(35) }),
  features: z.object({
    bot_user: z.object({ display_name: text(80) }),
    app_home: z.object({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    slash_commands: z
      .array(z.object({ command: text(32), description: text(2000), usage_hint: z.string().max(1000).optional() }))
      .max(50),
    shortcuts: z
      .array(shortcut)
      .refine((all) => ['global', 'message'].every((type) => countOf(all, type) <= MOST_SHORTCUTS))
      .default([]),
  }),
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
  }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()).max(100).default([]) }).optional(),
  }),
});

function countOf(shortcuts: readonly { type: string }[], type: string): number {
  return shortcuts.filter((shortcut) => shortcut.type === type).length;
}

/**
 * The app that Slack makes of a manifest, in YAML or JSON. Of the optional scopes it has those granted at installation.
 * Throws where Slack would refuse the manifest.
 */
export function readManifest(manifest: string, { granted }: { granted: readonly string[] }): DeclaredApp {
  const { display_information, features, oauth_config, settings } = MANIFEST.parse(parse(manifest));
  const { bot, bot_optional } = oauth_config.scopes;
  return {
    name: display_information.name,
    handle: features.bot_user.display_name,
    commands: features.slash_commands.map(({ command, description, usage_hint = '' }) => ({
      command,
      description,
      usageHint: usage_hint,
    })),
    shortcuts: features.shortcuts.map(({ callback_id, ...shown }) => ({ ...shown, callbackId: callback_id })),
    events: settings.event_subscriptions?.bot_events ?? [],
    homeTab: features.app_home.home_tab_enabled,
    messagesTab: messagesTabOf(features.app_home),
    scopes: bot.filter((scope) => granted.includes(scope) || !bot_optional.includes(scope)),
  };
}

function messagesTabOf(home: z.infer<typeof MANIFEST>['features']['app_home']): AppSettings['messagesTab'] {
  if (!home.messages_tab_enabled) return 'off';
  return home.messages_tab_read_only_enabled ? 'read-only' : 'on';
}
