import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../../setup/commands.mjs';
import { buildPage } from '../slack-workspace/build-page.ts';
import { readManifest } from '../slack-workspace/runtime/manifest.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED, type Seed, type SeedMember } from '../slack-workspace/state/seed.ts';

const WELCOME = [
  'Type */kickoff* below: a crew drafts release notes from a git repository. As Maria, a release manager, you approve the draft. Publishing takes two: approve it, then switch to Aiko (*You are…*, at the top left) to give the second approval.',
  'Jon, an engineer, and Gina, a guest, can’t decide: switch to one of them to see why, and whom they can ask. Lena, a release manager, reads Slack in German: what only she sees is German.',
  'What waits for you is in Signoff’s Home tab, under *Apps*. *You are…* also shows several people side by side, and has your profile with your time zone and user groups.',
].join('\n');

/** Optional ones that the crews file needs, since it names user groups. */
const NEEDED_SCOPES = ['usergroups:read'];

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
export async function demoApp(): Promise<ReturnType<typeof readManifest>> {
  return readManifest(await readFile(join(CHECKOUT, 'manifest.yml'), 'utf8'), { granted: NEEDED_SCOPES });
}
