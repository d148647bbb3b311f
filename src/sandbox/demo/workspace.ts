import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DEFAULT_SEED,
  type PageControl,
  pageFolder,
  readManifest,
  type Seed,
  type SlackWorkspace,
  startSlackWorkspace,
  type Workflow,
} from '@signoff/slack-workspace';
import { CHECKOUT } from '../../setup/commands.mjs';

/** Three things to try, in that order. The rest is in docs/demo.md. */
const WELCOME = [
  '*Start a crew:* type */kickoff* below and press *Start*. You are Maria, a release manager: approve its draft, or say what should be better.',
  '*Kill the bot* (above) right after a click: what it has acknowledged is never lost.',
  '*Fill the inbox* (above), then open Signoff’s Home tab under *Apps*. *You are…* (top left) changes who you are: publishing takes two, Jon and Gina can’t decide, Lena reads German.',
].join('\n');

/** Optional ones that the crews file needs, since it names user groups. */
const NEEDED_SCOPES = ['usergroups:read'];

export async function startWorkspace(options: {
  folder: string;
  port: number;
  requestUrl: string;
  controls: readonly PageControl[];
}): Promise<SlackWorkspace> {
  const { folder, port, requestUrl, controls } = options;
  return startSlackWorkspace({
    port,
    origin: `http://localhost:${port}`,
    pageDir: pageFolder(),
    controls,
    stateFile: join(folder, 'workspace.json'),
    seed: demoSeed(),
    workflows: [RELEASE_NOTES],
    app: { ...(await demoApp()), delivery: { mode: 'http', requestUrl } },
  });
}

const RELEASE_NOTES: Workflow = {
  name: 'Release notes',
  description: 'Has the crew release-notes write them, and waits until they are published.',
  steps: [
    {
      function: 'start_crew',
      inputs: { crew: 'release-notes', channel: 'C0RELEASE2', started_by: '{{starter}}' },
    },
    { function: 'wait_for_run', inputs: { ref: '{{steps.1.ref}}' } },
  ],
};

const LENA: Seed['members'][number] = {
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
    messages: [{ channel: 'releases', from: 'slackbot', text: WELCOME }],
  };
}

function withLena(people: readonly string[] = []): string[] {
  return [...people, LENA.id];
}

/** The app with its steps for workflows, without the optional scopes that the demo can do without. */
export async function demoApp(): Promise<ReturnType<typeof readManifest>> {
  return readManifest(await readFile(join(CHECKOUT, 'deploy/manifest-workflows.yml'), 'utf8'), {
    granted: NEEDED_SCOPES,
  });
}
