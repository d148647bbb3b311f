import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHECKOUT } from '../../setup/commands.mjs';
import { buildPage } from '../slack-workspace/build-page.ts';
import type { AppSettings } from '../slack-workspace/runtime/installed-app.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED, type Seed, type SeedMember } from '../slack-workspace/state/seed.ts';

const WELCOME = [
  'Type */kickoff* below: a crew drafts release notes from a git repository. As Maria, a release manager, you approve the draft. Publishing takes two: approve it, then switch to Aiko (*You are…*, at the top left) to give the second approval.',
  'Jon, an engineer, and Gina, a guest, can’t decide: switch to one of them to see why, and whom they can ask. Lena, a release manager, reads Slack in German: what only she sees is German.',
].join('\n');

/** Optional ones that the crews file needs, since it names user groups. */
const NEEDED_SCOPES = ['usergroups:read'];

/** The parts of the manifest that people see or the bot depends on. https://docs.slack.dev/reference/app-manifest */
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

/** Starts the demo's Slack workspace, with its page and the app. */
export async function startWorkspace(options: {
  folder: string;
  port: number;
  requestUrl: string;
}): Promise<SlackWorkspace> {
  const { folder, port, requestUrl } = options;
  return startSlackWorkspace({
    port,
    origin: `http://localhost:${port}`,
    pageDir: await buildPage(),
    stateFile: join(folder, 'workspace.json'),
    seed: demoSeed(),
    app: { ...(await demoApp()), delivery: { mode: 'http', requestUrl } },
  });
}

const LENA: SeedMember = {
  id: 'ULENA0012',
  name: 'lena',
  realName: 'Lena Vogt',
  title: 'Release-Managerin',
  timeZone: 'Europe/Berlin',
  locale: 'de-DE',
};

/** The page opens the first channel, so the one with the welcome message comes first. */
function demoSeed(): Seed {
  const channels = DEFAULT_SEED.channels
    .map((channel) => (channel.name === 'releases' ? { ...channel, members: withLena(channel.members) } : channel))
    .sort((a, b) => Number(b.name === 'releases') - Number(a.name === 'releases'));
  const groups = DEFAULT_SEED.groups.map((group) =>
    group.handle === 'release-managers' ? { ...group, memberIds: withLena(group.memberIds) } : group,
  );
  return {
    ...DEFAULT_SEED,
    members: [...DEFAULT_SEED.members, LENA],
    groups,
    channels,
    welcome: { channel: 'releases', text: WELCOME },
  };
}

function withLena(people: readonly string[] = []): string[] {
  return [...people, LENA.id];
}

/** The app as described by `manifest.yml`, without the optional scopes that the demo can do without. */
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
    scopes: bot.filter((scope) => NEEDED_SCOPES.includes(scope) || !bot_optional.includes(scope)),
  };
}
