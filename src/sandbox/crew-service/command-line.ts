import { parseArgs } from 'node:util';
import type { DialectName } from './dialects/dialect.ts';
import { errorMessage } from './error-message.ts';

export const HELP = `Serves crews on this machine through the API of the crew execution service.

  npm run crew -- [options]
  npm run crew -- new NAME [FOLDER]     writes a crew to start from (default folder: crews)

  --dialect spec|observed   follow the specification or mimic deployed services (default: spec)
  --port NUMBER             default: 4100
  --host ADDRESS            default: 127.0.0.1
  --redis URL               redis://… or the path of a Unix socket; default: REDIS_URL, or a private Redis
  --crews FILE              a module that exports \`crews\`, instead of the two examples; may be given several times
  --runs NUMBER             how many runs of crews work at once (default: 8), half of them of one crew at most
  --memory MB               the memory of each run's code (default: 256)
  --output FOLDER           where release-notes publishes (default: .demo/release-notes)
  --sandbox                 serve /_sandbox/ for tests: scripts, faults, records
  --help

Environment
  CREW_SERVICE_TOKEN        the organisation's token; if missing, a new one is generated and printed
  CREW_SERVICE_USER_TOKENS  user tokens: maria=TOKEN,jon=TOKEN. A user sees and resumes what they started
  CREW_TOKENS               tokens of single crews: haiku=TOKEN,other=TOKEN. Such a crew takes no other token
  CREW_TOKENS_FILE          the same as YAML or JSON, with user tokens:
                            tokens: { haiku: { organisation: TOKEN, users: { maria: TOKEN } } }
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
  readonly output: string;
  readonly crews: readonly string[];
  readonly runs: number;
  readonly memoryMb: number;
  readonly sandboxApi: 'on' | 'off';
};

/** The command line or environment is invalid. */
export class UsageError extends Error {}

/** Parses the arguments after the program's name. Throws `UsageError`. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' {
  const values = parsed(args);
  if (values.help) return 'help';
  const { dialect, port, host, redis, output, crews, sandbox, runs, memory } = values;
  if (dialect !== 'spec' && dialect !== 'observed')
    throw new UsageError(`--dialect is spec or observed, not "${dialect}".`);
  const portNumber = Number(port);
  if (!/^\d+$/.test(port) || portNumber > 65_535)
    throw new UsageError(`--port is a number up to 65535, not "${port}".`);
  const [runCount, memoryMb] = [numberFrom(1, { runs }), numberFrom(32, { memory })];
  const sandboxApi = sandbox ? 'on' : 'off';
  return { dialect, port: portNumber, host, redis, output, crews, runs: runCount, memoryMb, sandboxApi };
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
        output: { type: 'string', default: '.demo/release-notes' },
        crews: { type: 'string', multiple: true, default: [] },
        runs: { type: 'string', default: '8' },
        memory: { type: 'string', default: '256' },
        sandbox: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}
