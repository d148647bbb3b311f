import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Config, readConfig } from '../../src/config/config.ts';
import { whereToBegin } from '../../src/config/environment.ts';
import { DEFAULT_POLICY, WORKSPACE } from '../../src/core/policy/policy.ts';
import { placeOf } from '../../src/tools/policy-settings.ts';

type Env = Record<string, string | undefined>;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const SECRET = 'a-secret-of-more-than-32-characters';

/** The minimum that the bot can start with. */
function environment(override: Env = {}): Env {
  return {
    PUBLIC_URL: 'https://signoff.example.com/',
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'signing',
    REDIS_URL: 'redis://localhost:6379',
    APP_SECRET: SECRET,
    CREW_NAME: 'research',
    CREW_BASE_URL: 'https://crew.example.com/',
    CREW_TOKEN: 'crew-token',
    ...override,
  };
}

const NO_CREW: Env = { CREW_NAME: undefined, CREW_BASE_URL: undefined, CREW_TOKEN: undefined };

function configOf(override: Env = {}): Config {
  const config = readConfig(environment(override));
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  return config.value;
}

function problemsOf(override: Env): string[] {
  const config = readConfig(environment(override));
  return config.ok ? [] : config.refusal;
}

function crewsFile(text: string): Env {
  const folder = mkdtempSync(join(tmpdir(), 'signoff-config-'));
  folders.push(folder);
  const path = join(folder, 'crews.yml');
  writeFileSync(path, text);
  return { ...NO_CREW, CREWS_FILE: path };
}

/** Root may read everything. */
function asNobody<Value>(act: () => Value): Value {
  const user = process.geteuid?.();
  if (user === 0) process.seteuid?.('nobody');
  try {
    return act();
  } finally {
    if (user === 0) process.seteuid?.(user);
  }
}

describe('the environment', () => {
  it('needs no more than the essentials', () => {
    expect(configOf()).toEqual({
      port: 3000,
      publicUrl: 'https://signoff.example.com',
      slack: {
        botToken: 'xoxb-1',
        apiUrl: 'https://slack.com/api/',
        mode: { kind: 'http', signingSecret: 'signing' },
        command: '/kickoff',
      },
      redis: { url: 'redis://localhost:6379', minReplicas: 0 },
      secrets: [SECRET],
      crews: [
        {
          name: 'research',
          description: null,
          baseUrl: 'https://crew.example.com',
          controlUrl: 'https://crew.example.com',
          token: 'crew-token',
          askedBy: 'research',
          channel: null,
          approvalText: 'Approved.',
          platform: null,
          approvalNotes: true,
          approval: DEFAULT_POLICY,
          starters: [WORKSPACE],
          workflows: 'allowed',
          requireUserToken: false,
          retry503: false,
          callbackHosts: [],
          flowSecrets: [],
          startedElsewhere: 'followed',
          hours: null,
          preview: null,
          notify: 'mention',
          notifyStarter: true,
          broadcast: true,
          language: 'en',
          inputs: {},
        },
      ],
      policyPlaces: new Map([['research', new Map()]]),
      logLevel: 'info',
      retentionDays: 30,
      keepTexts: 'retention',
      mask: 'known',
      webhookAuth: 'bearer',
      audit: { days: 400, log: 'off', channel: null, sink: null },
      signIn: null,
    });
  });

  it('can set everything else', () => {
    const config = configOf({
      PORT: '8080',
      SLACK_SIGNING_SECRET: undefined,
      SLACK_APP_TOKEN: 'xapp-1',
      SLACK_API_URL: 'http://127.0.0.1:4000/api',
      REDIS_URL: 'redis://one:7000,two:7000',
      REDIS_MIN_REPLICAS: '1',
      APP_SECRET: `${SECRET}-new, ${SECRET}-old`,
      CREW_CHANNEL: '#research',
      LOG_LEVEL: 'debug',
      RETENTION_DAYS: '7',
      WEBHOOK_AUTH: 'basic',
      AUDIT_DAYS: '3650',
      AUDIT_LOG: 'stdout',
      AUDIT_CHANNEL: '#audit',
      KEEP_TEXTS: 'attach',
      MASK: 'off',
      COMMAND: '/start_crew-2',
      CREW_APPROVERS: 'U0123ABC, maria@example.com,@leads',
      CREW_QUORUM: '3',
    });
    expect(config).toMatchObject({
      port: 8080,
      slack: {
        apiUrl: 'http://127.0.0.1:4000/api/',
        mode: { kind: 'socket', appToken: 'xapp-1' },
        command: '/start_crew-2',
      },
      mask: 'off',
      redis: { minReplicas: 1 },
      secrets: [`${SECRET}-new`, `${SECRET}-old`],
      crews: [
        {
          channel: 'research',
          approval: {
            ...DEFAULT_POLICY,
            approvers: [
              { kind: 'person', name: 'U0123ABC' },
              { kind: 'email', name: 'maria@example.com' },
              { kind: 'handle', name: '@leads' },
            ],
            quorum: 3,
          },
        },
      ],
      policyPlaces: new Map([
        [
          'research',
          new Map([
            ['approval.approvers', { source: 'CREW_APPROVERS', line: null }],
            ['approval.quorum', { source: 'CREW_QUORUM', line: null }],
          ]),
        ],
      ]),
      audit: { days: 3650, log: 'stdout', channel: 'audit' },
      logLevel: 'debug',
      retentionDays: 7,
      keepTexts: 'attach',
      webhookAuth: 'basic',
    });
  });

  it('names everything that is missing at once', () => {
    const config = readConfig({});
    const text = config.ok ? '' : config.refusal.join('\n');
    for (const name of ['PUBLIC_URL', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'REDIS_URL', 'APP_SECRET', 'CREWS_FILE']) {
      expect(text).toContain(name);
    }
    expect(config).toMatchObject({ refusal: { length: 6 } });
  });

  it('names everything that is wrong at once', () => {
    const wrong = {
      PORT: 'x',
      PUBLIC_URL: 'http://signoff.example.com',
      SLACK_BOT_TOKEN: 'xoxp-1',
      SLACK_API_URL: 'slack',
      COMMAND: 'kickoff',
      REDIS_URL: 'localhost',
      REDIS_MIN_REPLICAS: '-1',
      APP_SECRET: 'short',
      LOG_LEVEL: 'loud',
      RETENTION_DAYS: '0',
      WEBHOOK_AUTH: 'none',
      AUDIT_DAYS: '1.5',
      AUDIT_LOG: 'syslog',
      AUDIT_CHANNEL: 'one, two',
      KEEP_TEXTS: 'forever',
      MASK: 'some',
      SLACK_APP_TOKEN: 'xoxb-1',
    };
    const crew = {
      CREW_NAME: 'two words',
      CREW_BASE_URL: 'ftp://crew',
      CREW_TOKEN: 'a b',
      CREW_CHANNEL: 'one, two',
      CREW_APPROVERS: 'maria, jon',
      CREW_QUORUM: 'two',
    };
    const problems = problemsOf({ ...wrong, ...crew });
    const { SLACK_APP_TOKEN: _, ...settings } = wrong;
    const expected = [...Object.keys(settings), 'Set only one of', 'SLACK_APP_TOKEN', ...Object.keys(crew)];
    expect(problems).toEqual(expected.map((start) => expect.stringMatching(new RegExp(`^${start} .+\\.$`))));
  });

  it('names everything that is wrong with variables and file at once', () => {
    const { CREWS_FILE } = crewsFile('crews: [{ name: a, base_url: nowhere, token: t }, { name: a, token: t }]');
    const starts = [
      'PORT',
      'CREW_NAME',
      'CREW_BASE_URL',
      'CREW_TOKEN',
      ...Array(3).fill('CREWS_FILE \\(/.+\\), line 1, '),
    ];
    const problems = problemsOf({ CREWS_FILE, PORT: 'x' });
    expect(problems).toEqual(starts.map((start) => expect.stringMatching(new RegExp(`^${start}.+\\.$`))));
  });

  it('treats a variable that is set to nothing as not set', () => {
    expect(configOf({ PORT: '', LOG_LEVEL: ' ', CREW_CHANNEL: '', CREWS_FILE: '', SLACK_APP_TOKEN: '' }).port).toBe(
      3000,
    );
    expect(problemsOf({ CREW_TOKEN: '' })).toEqual([expect.stringMatching(/^CREW_TOKEN is missing/)]);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PUBLIC_URL', 'signoff.example.com'],
    ['PUBLIC_URL', 'http://signoff.example.com'],
    ['PUBLIC_URL', 'http://localhost.example.com'],
    ['PUBLIC_URL', 'https://signoff.example.com?a=b'],
    ['SLACK_BOT_TOKEN', 'xoxp-1'],
    ['SLACK_BOT_TOKEN', 'xoxb-'],
    ['SLACK_BOT_TOKEN', 'xoxb-…'],
    ['SLACK_API_URL', 'slack'],
    ['COMMAND', 'kickoff'],
    ['COMMAND', '/'],
    ['COMMAND', '/Kickoff'],
    ['COMMAND', '/kick off'],
    ['COMMAND', '/kick.off'],
    ['COMMAND', '/anlauf-für-alle'],
    ['COMMAND', `/${'a'.repeat(32)}`],
    ['REDIS_URL', 'localhost'],
    ['REDIS_URL', 'redis://one:7000,two:7000/1'],
    ['REDIS_MIN_REPLICAS', '-1'],
    ['APP_SECRET', 'short'],
    ['APP_SECRET', `${SECRET},short`],
    ['APP_SECRET', `${SECRET},`],
    ['CREW_NAME', 'two words'],
    ['CREW_NAME', '../crew'],
    ['CREW_NAME', 'Stats'],
    ['CREW_NAME', 'help.'],
    ['CREW_BASE_URL', 'ftp://crew'],
    ['CREW_BASE_URL', 'https://user:pass@crew.example.com'],
    ['CREW_TOKEN', 'two words'],
    ['CREW_CHANNEL', 'one, two'],
    ['LOG_LEVEL', 'verbose'],
    ['RETENTION_DAYS', '0'],
    ['WEBHOOK_AUTH', 'none'],
    ['AUDIT_DAYS', '0'],
    ['AUDIT_LOG', 'on'],
    ['AUDIT_CHANNEL', 'one two'],
    ['KEEP_TEXTS', 'all'],
    ['MASK', 'all'],
    ['CREW_APPROVERS', 'maria'],
    ['CREW_APPROVERS', 'U0123ABC,'],
    ['CREW_QUORUM', '0'],
    ['CREW_QUORUM', '1.5'],
    ['CREW_QUORUM', '101'],
    ['CREW_QUORUM', 'all'],
    ['CREWS_FILE', '/no/such/file.yml'],
  ])('refuses a %s like %s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} .+\\.$`))]);
  });

  it.each(['help', 'status', 'who', 'stats', 'connect', 'disconnect'])(
    'refuses a crew that is called as the word %s of the slash command',
    (word) => {
      expect(problemsOf({ CREW_NAME: word })).toEqual(['CREW_NAME means something else after the slash command.']);
    },
  );

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://example.com/signoff'])(
    'may be reached at %s',
    (url) => {
      expect(configOf({ PUBLIC_URL: `${url}/` }).publicUrl).toBe(url);
    },
  );

  it('asks for no more people than are named', () => {
    const named = { CREW_APPROVERS: 'U0123ABC, maria@example.com' };
    expect(problemsOf({ ...named, CREW_QUORUM: '3' })).toEqual([
      'CREW_QUORUM must be at most the number of people who are named as approvers.',
    ]);
    expect(configOf({ ...named, CREW_QUORUM: '2' }).crews).toMatchObject([{ approval: { quorum: 2 } }]);
    expect(configOf({ CREW_APPROVERS: 'U0123ABC, @leads', CREW_QUORUM: '3' }).crews).toHaveLength(1);
    expect(configOf({ CREW_QUORUM: '100' }).crews).toMatchObject([{ approval: { quorum: 100 } }]);
  });

  it('takes either HTTP mode or Socket Mode', () => {
    expect(problemsOf({ SLACK_APP_TOKEN: 'xapp-1' })).toEqual([expect.stringMatching(/^Set only one of/)]);
    expect(problemsOf({ SLACK_SIGNING_SECRET: undefined })).toEqual([expect.stringContaining('SLACK_APP_TOKEN')]);
    expect(problemsOf({ SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: 'xoxb-1' })).toHaveLength(1);
    expect(problemsOf({ SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: 'xapp-' })).toHaveLength(1);
  });

  it('never reveals a value in a refusal', () => {
    const marked = fc.stringMatching(/^[ -~]{0,5}Hush-[a-z]{6}[ -~]{0,5}$/);
    const names = ['PUBLIC_URL', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN', 'REDIS_URL'];
    const others = [
      'APP_SECRET',
      'CREW_NAME',
      'CREW_BASE_URL',
      'CREW_TOKEN',
      'CREW_CHANNEL',
      'PORT',
      'CREW_APPROVERS',
      'CREW_QUORUM',
      'AUDIT_SINK',
      'AWS_REGION',
    ];
    const envs = fc.record(Object.fromEntries([...names, ...others].map((name) => [name, marked])));
    fc.assert(
      fc.property(envs, (env) => {
        const config = readConfig(env);
        expect(config.ok ? '' : config.refusal.join('\n')).not.toMatch(/Hush/i);
      }),
    );
  });
});

describe('the example files', () => {
  it('explain every variable', () => {
    const example = readFileSync('.env.example', 'utf8');
    for (const name of [...Object.keys(environment()), 'SLACK_APP_TOKEN', 'SLACK_API_URL', 'PORT', 'LOG_LEVEL']) {
      expect(example).toContain(`${name}=`);
    }
    const others = ['REDIS_MIN_REPLICAS', 'CREW_CHANNEL', 'CREWS_FILE', 'RETENTION_DAYS', 'WEBHOOK_AUTH'];
    const more = ['AUDIT_DAYS', 'AUDIT_LOG', 'AUDIT_CHANNEL', 'KEEP_TEXTS', 'CREW_APPROVERS', 'CREW_QUORUM'];
    const aws = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'];
    const oidc = [
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_ACR_VALUES',
      'OIDC_AMR',
      'OIDC_EMAIL_VERIFIED',
    ];
    for (const name of [...others, ...more, 'AUDIT_SINK', ...aws, ...oidc]) {
      expect(example).toContain(`${name}=`);
    }
  });

  it('begin with Socket Mode, as the manifest and the documents do', () => {
    const app = z.object({ settings: z.object({ socket_mode_enabled: z.literal(true) }) });
    expect(app.safeParse(parse(readFileSync('manifest.yml', 'utf8'))).success).toBe(true);
    const example = parseEnv(readFileSync('.env.example', 'utf8'));
    expect(example).toHaveProperty('SLACK_APP_TOKEN', 'xapp-');
    expect(example).not.toHaveProperty('SLACK_SIGNING_SECRET');
    const documents = ['README.md', 'docs/configuration.md'].map((path) => readFileSync(path, 'utf8'));
    for (const text of [...documents, problemsOf({ SLACK_SIGNING_SECRET: undefined }).join()])
      expect(text.indexOf('SLACK_APP_TOKEN')).toBeLessThan(text.indexOf('SLACK_SIGNING_SECRET'));
  });

  it('show the defaults', () => {
    const example = readFileSync('.env.example', 'utf8').replace(
      /^# (?=(PORT|SLACK_API|REDIS_MIN|LOG|RET|WEB|AUDIT_DAYS|AUDIT_LOG|KEEP))/gm,
      '',
    );
    const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: 'xapp-1' };
    const filled = { ...slack, APP_SECRET: SECRET, CREW_TOKEN: 't' };
    const { crews: _, policyPlaces: __, ...shown } = configOf({ ...parseEnv(example), ...filled });
    const { crews: ___, policyPlaces: ____, ...used } = configOf(filled);
    expect(shown).toEqual(used);
  });

  it('have crews that can be started', () => {
    const { crews } = configOf({
      ...NO_CREW,
      CREWS_FILE: 'deploy/crews.example.yml',
      RESEARCH_CREW_TOKEN: 'one',
      INCIDENT_CREW_TOKEN: 'two',
      INCIDENT_FLOW_SECRET: 'whsec_0123456789',
    });
    expect(crews.map(({ name, token }) => [name, token])).toEqual([
      ['research', 'one'],
      ['incident-report', 'two'],
    ]);
    expect(crews[1]).toMatchObject({ channel: 'incidents', approvalText: 'Approved.', approvalNotes: false });
    expect(crews[1]).toMatchObject({
      preview: 1200,
      notify: 'dm',
      language: 'en',
      description: 'Drafts the report of an incident',
    });
    expect(crews[1]?.inputs.severity).toEqual({
      label: null,
      type: 'choice',
      options: [1, 2, 3],
      default: 3,
      help: null,
      min: null,
      max: null,
    });
  });
});

describe('where nobody has set anything', () => {
  const checkoutWith = (...files: string[]) => {
    const folder = dirname(crewsFile('').CREWS_FILE ?? '');
    for (const file of files) writeFileSync(join(folder, file), '');
    return { folder, url: pathToFileURL(`${folder}/`) };
  };

  it('the first thing to do is to copy the example', () => {
    const { folder, url } = checkoutWith('.env.example');
    const told = `There is no .env in ${folder}/: copy .env.example to .env, and fill it in.`;
    for (const env of [{}, { REDIS_URL: 'redis://localhost' }, environment({ APP_SECRET: ' ' })])
      expect(whereToBegin(env, url)).toEqual([told]);
  });

  it('and not where there is a .env or no example, or settings come from elsewhere', () => {
    expect(whereToBegin({}, checkoutWith('.env.example', '.env').url)).toEqual([]);
    expect(whereToBegin({}, checkoutWith().url)).toEqual([]);
    expect(whereToBegin(environment({ PORT: 'x' }), checkoutWith('.env.example').url)).toEqual([]);
  });
});

describe('a crews file', () => {
  it('is refused with everything wrong in it, by line', () => {
    const problems = problemsOf({
      ...crewsFile('crews:\n  - name: a\n    base_url: nowhere\n    tokn: x\n  - name: b b\n'),
      PORT: 'x',
    });
    expect(problems).toContainEqual(expect.stringMatching(/^PORT /));
    expect(problems).toContainEqual(
      expect.stringMatching(/^CREWS_FILE \(\/.+\.yml\), line 3, crews\[0\]\.base_url must be/),
    );
    expect(problems).toContainEqual(
      expect.stringMatching(
        /^CREWS_FILE \(\/.+\.yml\), line 4, crews\[0\]\.tokn isn't a setting; did you mean token\?$/,
      ),
    );
    expect(problems).toContainEqual(
      expect.stringMatching(/^CREWS_FILE \(\/.+\.yml\), line 2, crews\[0\]\.token is missing/),
    );
  });

  it('that can’t be read is named, with the reason', () => {
    const { CREWS_FILE: broken = '' } = crewsFile('crews:\n  - name: a\n  token: [\n');
    const folder = dirname(broken);
    const bytes = join(folder, 'bytes.yml');
    writeFileSync(bytes, Buffer.from([0x63, 0xff, 0xfe]));
    const problems = [join(folder, 'none.yml'), join(bytes, 'none.yml'), folder, bytes, 'none/crews.yml', broken].map(
      (CREWS_FILE) => problemsOf({ ...NO_CREW, CREWS_FILE }),
    );
    expect(problems).toEqual([
      [`CREWS_FILE (${folder}/none.yml) can't be read: there is no such file.`],
      [`CREWS_FILE (${bytes}/none.yml) can't be read: there is no such file.`],
      [`CREWS_FILE (${folder}) can't be read: it is a folder.`],
      [`CREWS_FILE (${bytes}) can't be read: it isn't text in UTF-8.`],
      [`CREWS_FILE (${process.cwd()}/none/crews.yml) can't be read: there is no such file.`],
      expect.arrayContaining([
        expect.stringMatching(/^CREWS_FILE \(.+crews\.yml\), line 3: this isn't YAML \(.+\)\.$/),
      ]),
    ]);
  });

  it('that this user isn’t allowed to read is named, with that reason', () => {
    const { CREWS_FILE = '' } = crewsFile('crews: []');
    chmodSync(CREWS_FILE, 0);
    expect(asNobody(() => problemsOf({ ...NO_CREW, CREWS_FILE }))).toEqual([
      `CREWS_FILE (${CREWS_FILE}) can't be read: this user isn't allowed to read it.`,
    ]);
  });

  it('excludes the variables of a single crew, and says so', () => {
    const { CREWS_FILE } = crewsFile('crews: [{ name: a, base_url: "https://a.example", token: t }]');
    expect(problemsOf({ CREWS_FILE })).toHaveLength(3);
    expect(problemsOf({ ...NO_CREW, CREWS_FILE, CREW_APPROVERS: 'U0123ABC', CREW_QUORUM: '2' })).toEqual([
      'CREW_APPROVERS has no effect together with CREWS_FILE: move the crew into the file.',
      'CREW_QUORUM has no effect together with CREWS_FILE: move the crew into the file.',
    ]);
  });

  it('may refer to the variables of a single crew itself', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    const { CREWS_FILE } = crewsFile('crews: [{ name: a, base_url: "https://a.example", token: "${CREW_TOKEN}" }]');
    expect(configOf({ ...NO_CREW, CREW_TOKEN: 'secret', CREWS_FILE }).crews[0]?.token).toBe('secret');
  });

  it('tells where the settings of each crew stand', () => {
    const text = `crews:
  - { name: a, base_url: "https://a.example", token: t }
  - name: b
    base_url: https://b.example
    token: t
    starters: [channel]
    approval:
      approvers:
        - U0123ABC
      tasks:
        - match: publish
        - match: "*"
          quorum: 1
`;
    const { policyPlaces } = configOf(crewsFile(text));
    const ofB = policyPlaces.get('b') ?? new Map();
    expect([...policyPlaces.keys()]).toEqual(['a', 'b']);
    const at = (...lines: number[]) => ({ source: 'crews.yml', lines });
    expect(ofB.get('starters')).toEqual({ source: 'crews.yml', line: 6 });
    expect(placeOf(ofB, ['approvers'], null)).toEqual(at(8));
    expect(placeOf(ofB, ['match'], 1)).toEqual(at(12));
    expect(placeOf(ofB, ['quorum'], 1)).toEqual(at(13));
    expect(placeOf(ofB, ['approvers'], 1)).toEqual(at(8));
    expect(placeOf(ofB, ['match', 'quorum'], 1)).toEqual(at(12, 13));
    expect(placeOf(ofB, ['quorum'], 0)).toBeNull();
  });
});
