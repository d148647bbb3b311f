import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTokens } from '../../../../src/sandbox/crew-service/command-line.ts';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller } from '../crew-caller.ts';

const ENV = {
  CREW_SERVICE_TOKEN: 'shared-token',
  CREW_SERVICE_USER_TOKENS: 'ann=anns-token',
  CREW_TOKENS: 'haiku=haiku-token',
};
const FILE = `
tokens:
  sonnet:
    organisation: 0123456789012345678901  # a number, were it not a token
    users: { maria: [marias-token, marias-other-token], jon: jons-token }
  limerick: { organisation: limerick-token, users: { jon: jons-token, maria: marias-token }, user_access: all }
  ode: ode-token
`;
const CREWS = ['haiku', 'sonnet', 'limerick', 'ode', 'free'];

const redis = sharedRedis();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-tokens-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const path = join(folder, 'tokens.yml');
  await writeFile(path, text);
  return path;
}

const crewsNamed = (names: readonly string[]) =>
  names.map((name) => scriptedCrew({ name, tasks: [{ name: 'wait', hold: 'never' }] }));

describe.each(['spec', 'observed'] as const)('tokens of single crews, in the dialect %s', (dialect) => {
  let service: CrewService;

  beforeAll(async () => {
    const { tokens, crewTokens } = await readTokens({ ...ENV, CREW_TOKENS_FILE: await fileWith(FILE) });
    const options = { crews: crewsNamed(CREWS), redisUrl: redis.socketPath, keyPrefix: `${dialect}:`, dialect };
    service = await startCrewService({ ...options, tokens, crewTokens });
  });

  afterAll(() => service.close());

  const as = (token: string, crew: string) => crewCaller(service.baseUrlOf(crew), token);

  it.each([
    ['shared-token', ['free']],
    ['anns-token', ['free']],
    ['haiku-token', ['haiku']],
    ['0123456789012345678901', ['sonnet']],
    ['marias-token', ['sonnet', 'limerick']],
    ['marias-other-token', ['sonnet']],
    ['ode-token', ['ode']],
  ])('%s works for %j, and tells no other crew from one that is not here', async (token, crews) => {
    const answers = await Promise.all([...CREWS, 'nobody'].map((crew) => as(token, crew).get('/inputs')));
    const refused = answers.at(-1);
    expect(refused?.status).toBe(401);
    for (const [index, crew] of CREWS.entries()) {
      if (crews.includes(crew)) expect(answers[index]?.status).toBe(200);
      else expect(answers[index]?.text).toBe(refused?.text);
    }
  });

  it('a user sees what they started, with any of their tokens, and the runs of others only where all may', async () => {
    const visible = async (crew: string, token: string, id: unknown) => {
      const { status, body } = await as(token, crew).get(`/status/${id}`);
      return status === 200 && body.state !== 'NOT FOUND';
    };
    const { body: own } = await as('marias-token', 'sonnet').post('/kickoff', {});
    expect(await visible('sonnet', 'marias-other-token', own.kickoff_id)).toBe(true);
    expect(await visible('sonnet', 'jons-token', own.kickoff_id)).toBe(false);
    const { body: open } = await as('marias-token', 'limerick').post('/kickoff', {});
    expect(await visible('limerick', 'jons-token', open.kickoff_id)).toBe(true);
    expect(await visible('sonnet', '0123456789012345678901', open.kickoff_id)).toBe(false);
    for (const crew of ['sonnet', 'limerick'])
      expect((await as('jons-token', crew).get(`/executions/${own.kickoff_id}`)).status).toBe(403);
  });
});

describe('the settings of tokens', () => {
  it('come from the environment alone, too, and the organisation gets a new token if it has none', async () => {
    expect(await readTokens({ CREW_SERVICE_TOKEN: 'x', CREW_SERVICE_USER_TOKENS: 'maria=abc, jon=x=y' })).toEqual({
      tokens: {
        organisation: 'x',
        users: [
          { user: 'maria', token: 'abc' },
          { user: 'jon', token: 'x=y' },
        ],
      },
      crewTokens: {},
      isGenerated: false,
    });
    const generated = await readTokens({});
    expect(generated.tokens.organisation).toMatch(/^[\w-]{32}$/);
    expect(generated.isGenerated).toBe(true);
  });

  it('may be JSON', async () => {
    const path = await fileWith('{"tokens":{"haiku":{"organisation":"abc"}}}');
    const { crewTokens } = await readTokens({ CREW_TOKENS_FILE: path });
    expect(crewTokens).toEqual({ haiku: { organisation: 'abc', users: [], userAccess: 'own' } });
  });

  it.each([
    ['Entry 2 of CREW_TOKENS is not of the form name=token.', { CREW_TOKENS: 'haiku=s3cret,s3cret' }],
    ['Entry 1 of CREW_SERVICE_USER_TOKENS is not', { CREW_SERVICE_USER_TOKENS: 's3cret' }],
    ['CREW_TOKENS names a crew twice.', { CREW_TOKENS: 'haiku=s3cret,haiku=s3cret2' }],
    [
      'Both CREW_TOKENS and CREW_TOKENS_FILE have tokens of "haiku".',
      { CREW_TOKENS: 'haiku=s3cret', file: 'tokens: { haiku: s3cret }' },
    ],
    ['is not YAML at line 3.', { file: 'tokens:\n  haiku: s3cret\n  ode: "s3cret' }],
    ['uses an alias', { file: 'tokens: { haiku: *s3cret }' }],
    ['is not as it should be at its top level', { file: 's3cret' }],
    ['is not as it should be at tokens.haiku', { file: 'tokens: { haiku: { s3cret: x } }' }],
    [
      'is not as it should be at tokens.haiku',
      { file: 'tokens: { haiku: { organisation: s3cret, users: [s3cret] } }' },
    ],
    ["can't be read (ENOENT).", { CREW_TOKENS_FILE: '/nowhere/tokens.yml' }],
  ])('are refused without repeating a token: %s', async (message, { file, ...env }: Record<string, string>) => {
    const path = file === undefined ? {} : { CREW_TOKENS_FILE: await fileWith(file) };
    const error = await readTokens({ ...env, ...path }).catch(String);
    expect(error).toContain(message);
    expect(error).not.toContain('s3cret');
  });

  it.each([
    ["The organisation's token must be visible ASCII", { organisation: 's3cret\n' }, {}],
    ["The organisation's token must be visible ASCII", { organisation: '' }, {}],
    ['A user token of maria must be visible ASCII', { users: [{ user: 'maria', token: 's3cret-é' }] }, {}],
    ['The organisation\'s token of the crew "haiku" must be', {}, { haiku: { organisation: 's3 cret' } }],
    [
      'A user token of jon is the same as another one',
      { users: ['maria', 'jon'].map((user) => ({ user, token: 's3cret' })) },
      {},
    ],
    ['A user token of maria is the same', { users: [{ user: 'maria', token: 's3cret-of-all' }] }, {}],
    ['There are tokens for "hiaku", but no such crew.', {}, { hiaku: { organisation: 's3cret' } }],
  ])('stop the start where a token can’t be used: %s', async (message, tokens, crewTokens) => {
    const options = { crews: crewsNamed(['haiku']), redisUrl: redis.socketPath, keyPrefix: 'refused:', crewTokens };
    const error = await startCrewService({ ...options, tokens: { organisation: 's3cret-of-all', ...tokens } }).catch(
      String,
    );
    expect(error).toContain(message);
    expect(error).not.toContain('s3');
  });
});
