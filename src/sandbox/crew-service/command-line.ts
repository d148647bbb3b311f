import { parseArgs } from 'node:util';
import type { DialectName } from './dialects/dialect.ts';
import type { UserToken } from './http/access.ts';

export const HELP = `Serves crews on this machine through the API of the crew execution service.

  npm run crew -- [options]

  --dialect spec|observed   follow the specification or mimic deployed services (default: spec)
  --port NUMBER             default: 4100
  --host ADDRESS            default: 127.0.0.1
  --redis URL               redis://… or the path of a Unix socket; default: REDIS_URL, or a private Redis
  --output FOLDER           where release-notes publishes (default: .demo/release-notes)
  --crews FILE              a TypeScript module that exports \`crews\`, instead of the two examples
  --sandbox                 serve /_sandbox/ for tests: scripts, faults, records
  --help

Environment
  CREW_SERVICE_TOKEN        the organisation's token; if missing, a new one is generated and printed
  CREW_SERVICE_USER_TOKENS  user tokens: maria=TOKEN,jon=TOKEN. A user sees and resumes what they started
  OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL
                            if the first two are set, this model drafts the release notes
                            and follows all feedback
  LOG_LEVEL                 trace, debug, info (the default), warn, error, fatal or silent
`;

export type CommandLine = {
  readonly dialect: DialectName;
  readonly port: number;
  readonly host: string;
  readonly redis: string | undefined;
  readonly output: string;
  readonly crews: string | undefined;
  readonly sandboxApi: 'on' | 'off';
};

/** The command line or environment is invalid. */
export class UsageError extends Error {}

/** Parses the arguments after the program's name. Throws `UsageError`. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' {
  const values = parsed(args);
  if (values.help) return 'help';
  const { dialect, port, host, redis, output, crews, sandbox } = values;
  if (dialect !== 'spec' && dialect !== 'observed')
    throw new UsageError(`--dialect is spec or observed, not "${dialect}".`);
  const portNumber = Number(port);
  if (!/^\d+$/.test(port) || portNumber > 65_535)
    throw new UsageError(`--port is a number up to 65535, not "${port}".`);
  return { dialect, port: portNumber, host, redis, output, crews, sandboxApi: sandbox ? 'on' : 'off' };
}

/** `maria=TOKEN,jon=TOKEN` → user tokens. Throws `UsageError`, never with a token in its message. */
export function readUserTokens(text: string): UserToken[] {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return pairs.map((pair, index) => {
    const [, user, token] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(pair) ?? [];
    if (user === undefined || token === undefined)
      throw new UsageError(`Entry ${index + 1} of CREW_SERVICE_USER_TOKENS is not of the form name=token.`);
    return { token, user };
  });
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
        crews: { type: 'string' },
        sandbox: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
