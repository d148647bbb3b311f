import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCredentials } from '../../../src/crew/credentials.ts';
import { signingKeys } from '../../../src/crew/signature.ts';
import { crewAddress, secretCrewAddress } from '../../../src/tools/webhook/addresses.ts';
import { SECRET } from '../../crew/crew-values.ts';
import { programPath } from '../../support/program-path.ts';

/** All that it needs. */
const SETTINGS = { PUBLIC_URL: 'https://bot.example.org', APP_SECRET: SECRET, CREW_NAME: 'research' };

const { CREW_NAME: _, ...WITHOUT_CREW } = SETTINGS;

interface Run {
  code: number;
  out: string;
  errors: string;
}

/** Runs the command as an operator does, with nothing but these settings. */
function webhook(env: Record<string, string>, ...args: string[]): Promise<Run> {
  return new Promise((done) => {
    execFile(process.execPath, [programPath('webhook'), ...args], { env }, (error, out, errors) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, errors });
    });
  });
}

it('prints the address and the credentials of a crew', async () => {
  const { code, out, errors } = await webhook(SETTINGS, 'research');
  expect([code, errors]).toEqual([0, '']);
  expect(out).toContain(crewAddress('https://bot.example.org', 'research'));
  const given = createCredentials([SECRET]).ofCrew('research', 'bearer');
  expect(out).toContain(given.strategy === 'bearer' ? given.token : '-');
});

it.each(['bearer', 'basic'] as const)('shows what to paste into a kickoff, with %s credentials', async (strategy) => {
  const PUBLIC_URL = 'https://bot.example.org/signoff/';
  const { out } = await webhook({ ...SETTINGS, PUBLIC_URL, WEBHOOK_AUTH: strategy }, 'research');
  const credentials = createCredentials([SECRET]);
  expect(out.match(/^\{.+?^\}/gms)?.map((each) => JSON.parse(each))).toEqual([
    {
      humanInputWebhook: {
        url: 'https://bot.example.org/signoff/webhooks/crews/research/human-input',
        authentication: credentials.ofCrew('research', strategy),
      },
    },
    { humanInputWebhookUrl: secretCrewAddress(PUBLIC_URL, 'research', credentials) },
  ]);
});

it('prints where the control panel of flows sends what they ask', async () => {
  const { out } = await webhook(SETTINGS, 'research');
  expect(out).toContain('https://bot.example.org/webhooks/crews/research/flow');
});

it('prints the token by which programs ask, which is none of the others', async () => {
  const { out } = await webhook(SETTINGS);
  const tokens = out.match(/h0\.[\w-]{43}/g) ?? [];
  expect(out).toContain('Address:   https://bot.example.org/asks\n');
  expect(tokens).toContain(createCredentials([SECRET]).askToken('research'));
  expect(new Set(tokens).size).toBe(3);
  expect(out).toContain(signingKeys([SECRET], { purpose: 'callback', crew: 'research' })[0]);
});

it('prints another key for the callbacks of each crew', async () => {
  const keyOf = async (crew: string) => /whsec_\S+/.exec((await webhook({ ...SETTINGS, CREW_NAME: crew })).out)?.[0];
  expect(await keyOf('research')).not.toBe(await keyOf('news'));
  expect(await keyOf('research')).toBe(await keyOf('research'));
});

it('says that a crew without a channel needs one', async () => {
  expect((await webhook(SETTINGS)).out).toContain('CREW_CHANNEL');
  expect((await webhook({ ...SETTINGS, CREW_CHANNEL: 'research' })).out).not.toContain('CREW_CHANNEL');
});

it('needs no name if there is only one crew', async () => {
  expect((await webhook(SETTINGS)).out).toContain('/webhooks/crews/research/human-input');
});

it('lists the crews if the name is wrong', async () => {
  const { code, out, errors } = await webhook(SETTINGS, 'other');
  expect([code, out]).toEqual([1, '']);
  expect(errors).toContain('The crews are: research');
});

it('takes only the names and channels of the crews from a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-webhook-'));
  const CREWS_FILE = join(folder, 'crews.yml');
  try {
    await writeFile(CREWS_FILE, CREWS);
    expect((await webhook({ ...WITHOUT_CREW, CREWS_FILE }, 'research')).out).toContain('CREW_CHANNEL');
    const { code, out, errors } = await webhook({ ...WITHOUT_CREW, CREWS_FILE }, 'news');
    expect([code, errors]).toEqual([0, '']);
    expect(out).toContain('/webhooks/crews/news/human-input');
    expect(out).not.toContain('CREW_CHANNEL');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    await writeFile(CREWS_FILE, 'crews:\n  - name: a b\n  - name: ${NAME}\n');
    expect((await webhook({ ...WITHOUT_CREW, CREWS_FILE }, 'news')).errors.split('\n- ').slice(1)).toEqual([
      expect.stringMatching(/^CREWS_FILE \(.+\.yml\), line 2, crews\[0\]\.name must consist of .*\.$/),
      `CREWS_FILE (${CREWS_FILE}), line 3, crews[1].name names the variable NAME, which isn't set.\n`,
    ]);
    const lost = await webhook({ ...WITHOUT_CREW, CREWS_FILE: join(folder, 'none.yml') }, 'news');
    expect(lost.errors).toContain("can't be read: there is no such file.");
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Without addresses, and with a token that isn't set. */
const CREWS = `crews:
  - name: research
    token: \${RESEARCH_TOKEN}
  - { name: news, channel: "#news", surprise: true }
`;

it('names what is missing in the settings, and no secret', async () => {
  const { code, errors } = await webhook({ PUBLIC_URL: 'bot', APP_SECRET: 'too-short', WEBHOOK_AUTH: 'none' });
  expect(code).toBe(1);
  const starts = errors.split('\n- ').slice(1);
  const names = ['PUBLIC_URL', 'APP_SECRET', 'WEBHOOK_AUTH', 'CREW_NAME'];
  expect(starts.map((line) => line.split(' ')[0])).toEqual(names);
  expect(errors).not.toContain('too-short');
});

it('escapes the name of a crew', () => {
  const credentials = createCredentials([SECRET]);
  const [start, name] = ['https://bot.example.org', 'a/b ü'];
  expect(crewAddress(start, name)).toBe(`${start}/webhooks/crews/a%2Fb%20%C3%BC/human-input`);
  expect(secretCrewAddress(start, name, credentials)).toBe(
    `${start}/webhooks/crews/a%2Fb%20%C3%BC/${credentials.crewToken(name)}/human-input`,
  );
});
