// The settings from the command line and the environment: options and tokens.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { DialectName } from './dialects/dialect.ts';
import { errorMessage } from './error-message.ts';
import type { Tokens, UserToken } from './http/access.ts';
import type { GivenDashboard } from './webhooks/dashboard.ts';

export const HELP = `Serves crews on this machine through the API of the crew execution service.

  crew-service [options]
  crew-service new NAME [FOLDER]     writes a crew to start from (default folder: crews)

  --dialect spec|observed|flows
                            follow the specification, or mimic deployed services, without or with flows (default: spec)
  --port NUMBER             default: 4100
  --host ADDRESS            default: 127.0.0.1
  --redis URL               redis://… or the path of a Unix socket; default: REDIS_URL,
                            or a private Redis: needs redis-server, keeps its data in .crew-service/
  --dashboard URL           where flows tell of their requests for feedback (dialect flows; default: nowhere)
  --dashboard-shape flat|nested
                            how they are written (default: flat)
  --crews FILE              a file that exports \`crews\`, instead of the examples; may be given several times
  --runs NUMBER             how many runs of crews work at once (default: 8), half of them of one crew at most
  --memory MB               the memory of each run's code (default: 256)
  --output FOLDER           where release-notes publishes (default: .crew-service/release-notes)
  --sandbox                 serve /_sandbox/ for tests: scripts, faults, records
  --version
  --help, -h

Environment
  CREW_SERVICE_TOKEN        the organisation's token; if missing, a new one is generated and printed
  CREW_SERVICE_USER_TOKENS  user tokens: maria=TOKEN,jon=TOKEN. A user sees and resumes what they started
  CREW_TOKENS               tokens of single crews: haiku=TOKEN,other=TOKEN. Such a crew takes no other token
  CREW_TOKENS_FILE          the same as YAML or JSON, with user tokens:
                            tokens: { haiku: { organisation: TOKEN, users: { maria: TOKEN } } }
  DASHBOARD_SECRET          the secret that signs what goes to --dashboard; if missing, a new one is generated and printed
  OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL
                            an OpenAI-compatible server, if the first two are set: the model that
                            crews may ask, and that drafts the release notes of the example
  LOG_LEVEL                 trace, debug, info (the default), warn, error, fatal or silent
`;

export type CommandLine = {
  readonly dialect: DialectName;
  readonly port: number;
  readonly host: string;
  readonly redis: string | undefined;
  readonly dashboard: Omit<GivenDashboard, 'secret'> | undefined;
  readonly output: string;
  readonly crews: readonly string[];
  readonly runs: number;
  readonly memoryMb: number;
  readonly sandboxApi: 'on' | 'off';
};

/** The command line or environment is invalid. */
export class UsageError extends Error {}

/** Parses the arguments after the program's name. Throws `UsageError`. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' | 'version' {
  const values = parsed(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const { dialect, port, host, redis, output, crews, sandbox, runs, memory } = values;
  if (!isDialectName(dialect)) throw new UsageError(`--dialect is spec, observed or flows, not "${dialect}".`);
  const dashboard = dashboardIn(dialect, values);
  const portNumber = Number(port);
  if (!/^\d+$/.test(port) || portNumber > 65_535)
    throw new UsageError(`--port is a number up to 65535, not "${port}".`);
  const [runCount, memoryMb] = [numberFrom(1, { runs }), numberFrom(32, { memory })];
  const sandboxApi = sandbox ? 'on' : 'off';
  return { dialect, port: portNumber, host, redis, dashboard, output, crews, runs: runCount, memoryMb, sandboxApi };
}

function isDialectName(name: string): name is DialectName {
  return name === 'spec' || name === 'observed' || name === 'flows';
}

function dashboardIn(dialect: DialectName, options: ReturnType<typeof parsed>): CommandLine['dashboard'] {
  const { dashboard: url, 'dashboard-shape': shape } = options;
  if (shape !== 'flat' && shape !== 'nested')
    throw new UsageError(`--dashboard-shape is flat or nested, not "${shape}".`);
  if (url === undefined) return undefined;
  if (dialect !== 'flows') throw new UsageError('--dashboard needs --dialect flows.');
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new UsageError(`--dashboard is an http or https address, not "${url}".`);
  return { url, shape };
}

/** Returns the secret of the dashboard, or generates one like deployed services do. */
export function readDashboardSecret({ DASHBOARD_SECRET }: NodeJS.ProcessEnv) {
  const secret = DASHBOARD_SECRET || `whsec_${randomBytes(32).toString('hex')}`;
  return { secret, isGenerated: !DASHBOARD_SECRET };
}

function numberFrom(least: number, option: Readonly<Record<string, string>>): number {
  const [[name, text] = ['', '']] = Object.entries(option);
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`--${name} is a number from ${least}, not "${text}".`);
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Throws `UsageError`. */
export function readLogLevel(level: string): string {
  if (LOG_LEVELS.includes(level)) return level;
  throw new UsageError(`LOG_LEVEL is one of ${LOG_LEVELS.join(', ')}, not "${level}".`);
}

function parsed(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        dialect: { type: 'string', default: 'spec' },
        port: { type: 'string', default: '4100' },
        host: { type: 'string', default: '127.0.0.1' },
        redis: { type: 'string' },
        dashboard: { type: 'string' },
        'dashboard-shape': { type: 'string', default: 'flat' },
        output: { type: 'string', default: '.crew-service/release-notes' },
        crews: { type: 'string', multiple: true, default: [] },
        runs: { type: 'string', default: '8' },
        memory: { type: 'string', default: '256' },
        sandbox: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}

type TokenSettings = {
  readonly tokens: Tokens;
  readonly crewTokens: Readonly<Record<string, Tokens>>;
  /** True if the organisation's token was generated, so that nobody knows it yet. */
  readonly isGenerated: boolean;
};

/**
 * The tokens that the environment names. A crew with tokens of its own takes no others.
 * Rejects with `UsageError`, never with a token in its message.
 */
export async function readTokens(env: NodeJS.ProcessEnv): Promise<TokenSettings> {
  const pairs = readPairs(env.CREW_TOKENS, 'CREW_TOKENS');
  const byName = new Map<string, Tokens>(pairs.map(({ name, token }) => [name, { organisation: token }]));
  if (byName.size < pairs.length) throw new UsageError('CREW_TOKENS names a crew twice.');
  const inFile = env.CREW_TOKENS_FILE ? await readTokensFile(env.CREW_TOKENS_FILE) : {};
  const twice = Object.keys(inFile).find((crew) => byName.has(crew));
  if (twice !== undefined) throw new UsageError(`Both CREW_TOKENS and CREW_TOKENS_FILE have tokens of "${twice}".`);
  return {
    tokens: {
      organisation: env.CREW_SERVICE_TOKEN || randomBytes(24).toString('base64url'),
      users: readUserTokens(env.CREW_SERVICE_USER_TOKENS ?? ''),
    },
    crewTokens: { ...Object.fromEntries(byName), ...inFile },
    isGenerated: !env.CREW_SERVICE_TOKEN,
  };
}

/** `maria=TOKEN,jon=TOKEN` → user tokens. Throws `UsageError`, never with a token in its message. */
function readUserTokens(text: string): UserToken[] {
  return readPairs(text, 'CREW_SERVICE_USER_TOKENS').map(({ name, token }) => ({ user: name, token }));
}

function readPairs(text: string | undefined, variable: string): { name: string; token: string }[] {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  return pairs.map((pair, index) => {
    const [, name, token] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(pair) ?? [];
    if (name === undefined || token === undefined)
      throw new UsageError(`Entry ${index + 1} of ${variable} is not of the form name=token.`);
    return { name, token };
  });
}

const userTokens = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const tokensOfCrew = z.strictObject({
  organisation: z.string(),
  users: userTokens.default({}),
  user_access: z.enum(['own', 'all']).default('own'),
});
const tokensFile = z.strictObject({ tokens: z.record(z.string(), z.union([z.string(), tokensOfCrew])) });

/**
 * Reads YAML or JSON with the tokens of each crew: `tokens: { haiku: { organisation: TOKEN, users: { maria: TOKEN } } }`,
 * or just `haiku: TOKEN`. A user may have a list of tokens. `user_access: all` lets users see the runs of others, too.
 * Rejects with `UsageError`, never with a token in its message.
 */
async function readTokensFile(path: string): Promise<Record<string, Tokens>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`CREW_TOKENS_FILE: ${path} can't be read (${error.code}).`);
  });
  const parsed = tokensFile.safeParse(await yamlIn(text, path));
  if (!parsed.success) {
    // Zod's words may repeat what was written, which may be a token in the wrong place.
    const places = parsed.error.issues.map((issue) => issue.path.join('.') || 'its top level');
    throw new UsageError(`CREW_TOKENS_FILE: ${path} is not as it should be at ${[...new Set(places)].join(', ')}.`);
  }
  const crews = Object.entries(parsed.data.tokens);
  return Object.fromEntries(crews.map(([crew, value]) => [crew, tokensFrom(value)]));
}

function tokensFrom(value: string | z.output<typeof tokensOfCrew>): Tokens {
  if (typeof value === 'string') return { organisation: value };
  const users = Object.entries(value.users).flatMap(([user, tokens]): UserToken[] =>
    [tokens].flat().map((token) => ({ user, token })),
  );
  return { organisation: value.organisation, users, userAccess: value.user_access };
}

/** All values are text, so that a token of digits stays as it is. */
async function yamlIn(text: string, path: string): Promise<unknown> {
  // Few services have such a file.
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, lineCounter });
  const [error] = document.errors;
  // Errors may quote what is written there, and with it a token.
  if (error !== undefined)
    throw new UsageError(`CREW_TOKENS_FILE: ${path} is not YAML at line ${lineCounter.linePos(error.pos[0]).line}.`);
  try {
    return document.toJS();
  } catch {
    throw new UsageError(`CREW_TOKENS_FILE: ${path} uses an alias (*name) that it doesn't have.`);
  }
}
