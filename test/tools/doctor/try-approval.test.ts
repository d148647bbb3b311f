import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { sha256 } from '../../../src/core/ledger/entry.ts';
import type { Script } from '../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { freePort } from '../../../src/setup/free-port.ts';
import { checkDeployment } from '../../../src/tools/doctor/check-deployment.ts';
import { findingLine } from '../../../src/tools/doctor/finding.ts';
import { type TrialLimits, tryApproval } from '../../../src/tools/doctor/try-approval.ts';
import { audit } from '../../support/audit-program.ts';
import { programPath } from '../../support/program-path.ts';
import { startRedis } from '../../support/redis.ts';
import {
  CREW_TOKEN,
  type CrewOfWorld,
  startWorld,
  TEST_SECRET,
  type World,
  type WorldOptions,
} from '../../support/world.ts';

/** Nobody waits for crews that don't ask as long as for real ones. */
const LIMITS: TrialLimits = { askingMs: 20_000, effectMs: 20_000, statusMs: 200 };

const ASKS: Script = [
  { name: 'draft', humanInput: true, output: 'Draft {{round}}' },
  { name: 'publish', output: 'Published.' },
];
const asking = (name: string, tasks: Script = ASKS): CrewOfWorld => ({
  name,
  tasks,
  settings: { channel: 'releases' },
});

async function tried(
  world: World,
  crew: string,
  more: { inputs?: string[]; port?: number; limits?: TrialLimits; redisUrl?: string } = {},
) {
  const { inputs = ['topic=tea'], port = await freePort(), limits = LIMITS, redisUrl } = more;
  const config = readConfig({ ...world.env(port), ...(redisUrl !== undefined && { REDIS_URL: redisUrl }) });
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  const lines: string[] = [];
  await tryApproval(config.value, { crew, inputs }, (finding) => lines.push(findingLine(finding)), limits);
  return lines.filter((line) => !line.includes('Public address'));
}

const startsOf = async ({ crews }: World, crew: string) =>
  (await crews.sandbox.requests()).filter((each) => each.crew === crew && each.route === 'kickoff').length;

describe.each<[string, WorldOptions, string[]]>([
  [
    'as the specification says',
    { dialect: 'spec' },
    [
      expect.stringMatching(/^✓ Request: it asked after \d+ s, with its credentials\.$/),
      '✓ Status: it says that the run waits.',
      '✓ HumanRequest: the service took it.',
      expect.stringMatching(/^✓ Effect: the run went on/),
      '✓ Settings: right as they are: the service does what the specification says.',
    ],
  ],
  [
    'as a deployed service',
    { dialect: 'flows', platform: 'amp' },
    [
      '✓ Events: the service streams them.',
      expect.stringMatching(/^✓ Request: it asked after \d+ s, at the secret address\.$/),
      "✓ Status: it doesn't know the run while it waits, as deployed services do.",
      '✓ HumanRequest: the service took it, with names in camel case.',
      expect.stringMatching(/^✓ Effect: the run went on/),
      '✓ Settings: platform: amp is right.',
    ],
  ],
])('a trial of a crew that runs %s', (_, service, lines) => {
  let world: World;
  let startedAs: string | null = null;
  beforeAll(async () => {
    world = await startWorld({ ...service, crews: [asking('editorial'), asking('other')] });
  });
  afterAll(() => world.stop());

  it('starts a run, approves what it asks, and says which settings are right', async () => {
    const [start = '', ...said] = await tried(world, 'editorial');
    startedAs = /^✓ Start: started as (\S+)\.$/.exec(start)?.[1] ?? null;
    expect(said).toEqual(lines);
    const [run] = await world.crews.sandbox.runs();
    expect(run?.reviews.map(({ approved, text }) => [approved, text])).toEqual([[true, 'Approved.']]);
    expect(await startsOf(world, 'editorial')).toBe(1);
  });

  it('enters what it approves into the ledger, in a chain of the crew', async () => {
    const env = world.env(0);
    const { out } = await audit(['export', '--crew', 'editorial'], {
      REDIS_URL: env.REDIS_URL ?? '',
      APP_SECRET: TEST_SECRET,
    });
    const lines = out.split('\n').flatMap((line) => (line.includes('"kind":"tried"') ? [JSON.parse(line)] : []));
    expect(lines.map(({ ref, facts }) => [ref, facts])).toEqual([
      [
        expect.stringMatching(/^crew:editorial\/\d{4}-\d\d-\d\d$/),
        {
          crew: 'editorial',
          task: { id: expect.any(String), name: expect.toBeOneOf(['draft', null]) },
          kickoff: startedAs,
          text: { sha256: sha256('Approved.'), length: 9 },
        },
      ],
    ]);
  });

  it('starts nothing that lacks an input, or has a strange one', async () => {
    expect(await tried(world, 'editorial', { inputs: [] })).toEqual([
      '✗ Inputs: topic is missing. Add --input topic=….',
    ]);
    expect(await tried(world, 'editorial', { inputs: ['topics=tea'] })).toEqual([
      expect.stringMatching(/^✗ Inputs: --input topics isn't among the inputs of editorial/),
    ]);
    expect(await tried(world, 'nobody')).toEqual(['✗ Crew: there is no crew nobody. The crews are: editorial, other.']);
    expect(await startsOf(world, 'editorial')).toBe(1);
  });

  it('starts nothing while the bot listens', async () => {
    const port = await freePort();
    const bot = createServer().listen(port);
    expect(await tried(world, 'editorial', { port })).toEqual([
      `✗ Port: something listens on port ${port} already. Stop the bot for as long as this takes.`,
    ]);
    bot.close();
    expect(await startsOf(world, 'editorial')).toBe(1);
  });
});

describe('a trial of a service with ways of its own', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({
      ...{ dialect: 'flows', platform: 'amp' },
      crews: [
        asking('deaf'),
        asking('mute', [{ name: 'only', output: 'Done.' }]),
        asking('failing', [{ name: 'only', fails: 'Out of tea.' }]),
        asking('silent'),
        asking('breaking', [...ASKS.slice(0, 1), { name: 'publish', fails: 'Nobody prints it.' }]),
        asking('closed'),
        asking('slow'),
        asking('unsaid'),
      ],
    });
  });
  afterAll(() => world.stop());

  it('says that a service takes the approval for a rejection', async () => {
    const { sandbox } = world.crews;
    // As if it read the text and not the flag.
    const asFlag = { isApprove: false };
    await sandbox.addFault({ crew: 'deaf', route: 'resume', skip: 1, respond: { status: 200, body: asFlag } });
    const trying = tried(world, 'deaf');
    await expect
      .poll(
        async () => (await sandbox.requests()).filter((each) => each.crew === 'deaf' && each.route === 'resume').length,
      )
      .toBe(2);
    const resume = (await sandbox.requests()).findLast((each) => each.crew === 'deaf' && each.route === 'resume');
    const { humanInputWebhookUrl, executionId, taskId } = JSON.parse(resume?.body ?? '{}');
    const body = JSON.stringify({ execution_id: executionId, task_id: taskId, task_output: 'Draft 2' });
    expect((await fetch(humanInputWebhookUrl, { method: 'POST', body })).status).toBe(200);
    expect((await trying).at(-1)).toMatch(
      /^✗ Effect: it asked about the same task again: it takes "Approved\." for a rejection\..* Set approval_text/,
    );
  });

  it('says that nobody was asked, or why not', async () => {
    expect((await tried(world, 'mute')).at(-1)).toMatch(/^! Request: the run ended without asking anybody\. /);
    expect((await tried(world, 'failing')).at(-1)).toBe('✗ Request: the run failed: Out of tea.');
    await world.crews.sandbox.addFault({ crew: 'silent', webhook: 'human-input', effect: 'drop' });
    const limits = { ...LIMITS, askingMs: 2_000 };
    expect((await tried(world, 'silent', { limits })).at(-1)).toMatch(
      /^✗ Request: it didn't ask within .* without platform: amp\.$/,
    );
  });

  it('says that the run failed after the approval', async () => {
    expect((await tried(world, 'breaking')).at(-1)).toMatch(/^✗ Effect: the run failed: .*Nobody prints it/);
  });

  it('says what refuses to start, and that a service knows less than its platform lets expect', async () => {
    const { sandbox } = world.crews;
    await sandbox.addFault({
      crew: 'closed',
      route: 'kickoff',
      respond: { status: 401, body: { detail: 'Who are you?' } },
    });
    expect(await tried(world, 'closed')).toEqual(['✗ Start: refused: Who are you?']);
    const detail = [{ loc: ['body', 'webhooks'], msg: 'not permitted' }];
    await sandbox.addFault({ crew: 'slow', route: 'kickoff', respond: { status: 422, body: { detail } } });
    expect((await tried(world, 'slow')).at(-1)).toBe(
      '✓ Settings: platform: amp works, but the service knows not all of it; it may be left out.',
    );
  });

  it('approves nothing that the ledger can’t say', async () => {
    const redis = await startRedis();
    const { sandbox } = world.crews;
    await sandbox.shutGate('asking');
    await sandbox.addFault({ crew: 'unsaid', route: 'status', gate: 'asking' });
    const trying = tried(world, 'unsaid', { redisUrl: redis.url });
    await expect.poll(() => startsOf(world, 'unsaid')).toBe(1);
    await redis.stop();
    await sandbox.openGate('asking');
    expect((await trying).at(-1)).toMatch(
      /^✗ Ledger: nothing was approved, since the ledger can't say so: .* Check REDIS_URL\.$/,
    );
    expect(await tried(world, 'unsaid', { redisUrl: redis.url })).toEqual([expect.stringMatching(/^✗ Ledger: /)]);
    const routes = (await sandbox.requests()).filter((each) => each.crew === 'unsaid').map(({ route }) => route);
    expect(routes).not.toContain('resume');
    expect(routes.filter((route) => route === 'kickoff')).toHaveLength(1);
  });

  it('tells notifications of other runs to come again', async () => {
    const port = await freePort();
    const { sandbox } = world.crews;
    await sandbox.shutGate('starts');
    await sandbox.addFault({ crew: 'mute', route: 'inputs', gate: 'starts' });
    const trying = tried(world, 'mute', { port });
    const others = ['executions', 'crews'].map((of) => `http://127.0.0.1:${port}/webhooks/${of}/other/human-input`);
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status)
      .toBe(200);
    for (const address of others) {
      const { status, headers } = await fetch(address, { method: 'POST', body: '{}' });
      expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    }
    await sandbox.openGate('starts');
    await trying;
  });

  it('never prints a secret', async () => {
    const said = (await tried(world, 'slow')).join('\n');
    expect(said).not.toMatch(/h\d\.[\w-]{43}/);
    for (const secret of [CREW_TOKEN, TEST_SECRET]) expect(said).not.toContain(secret);
  });
});

it.each<[WorldOptions, RegExp | null]>([
  [{ dialect: 'spec' }, null],
  [{ dialect: 'spec', platform: 'amp' }, /^– .* as the specification says, in spite of platform: amp\./],
  [
    { dialect: 'observed' },
    /^– .* as deployed services do: if it is one, set platform: amp\. npm run doctor -- --try-approval editorial/,
  ],
  [
    { dialect: 'flows', platform: 'amp' },
    /^✓ Deployment of editorial: answers as deployed services do\. Not checked: a real pause/,
  ],
])('without starting anything, a service of %j is told apart by what it doesn’t know', async (service, line) => {
  const world = await startWorld({ ...service, crews: [asking('editorial')] });
  try {
    const config = readConfig(world.env(await freePort()));
    const [crew] = config.ok ? config.value.crews : [];
    const lines = crew ? (await checkDeployment(crew)).map(findingLine) : [];
    expect(lines).toEqual(line === null ? [] : [expect.stringMatching(line)]);
    expect((await world.crews.sandbox.requests()).map(({ route }) => route)).toEqual(['status']);
  } finally {
    await world.stop();
  }
});

it('says what it would do, and does it only with --yes', async () => {
  const said = await new Promise<[number, string, string]>((done) => {
    execFile(
      process.execPath,
      [programPath('doctor'), '--try-approval', 'editorial'],
      { env: {} },
      (error, out, errors) => done([typeof error?.code === 'number' ? error.code : 0, out, errors]),
    );
  });
  expect(said).toEqual([
    2,
    '',
    expect.stringMatching(/a real run of editorial(.|\n)*approves(.|\n)*Add --yes to do it/),
  ]);
});
