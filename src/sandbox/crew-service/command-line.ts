import { parseArgs } from 'node:util';
import type { DialectName } from './dialects/dialect.ts';
import type { Tokens } from './http/access.ts';

export const HELP = `Hosts crews behind the interface of the crew execution service, on this machine.

  npm run crew -- [options]

  --dialect spec|observed   how it speaks (default: spec)
  --port NUMBER             default: 4100
  --host ADDRESS            default: 127.0.0.1
  --redis URL               redis://… or a unix socket's path; default: REDIS_URL, else a Redis of its own
  --output FOLDER           where release-notes publishes (default: .demo/release-notes)
  --crews FILE              a TypeScript module that exports \`crews\`, hosted in place of the two examples
  --sandbox                 open /_sandbox/ for tests: scripts, faults, records
  --help

Environment
  CREW_SERVICE_TOKEN        the organisation's token; a new one is made and shown where it is missing
  CREW_SERVICE_USER_TOKENS  tokens of users: maria=TOKEN,jon=TOKEN
  OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL
                            with the first two set, that model drafts the release notes
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
  readonly sandboxDoor: 'open' | 'shut';
};

/** The command line doesn't say what to do. */
export class UsageError extends Error {}

/** Reads the arguments after the program's name; `'help'` where they ask for it. Throws `UsageError`. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' {
  const values = parsed(args);
  if (values.help) return 'help';
  const { dialect, port, host, redis, output, crews, sandbox } = values;
  if (dialect !== 'spec' && dialect !== 'observed')
    throw new UsageError(`--dialect is spec or observed, not "${dialect}".`);
  const portNumber = Number(port);
  if (!/^\d+$/.test(port) || portNumber > 65_535)
    throw new UsageError(`--port is a number up to 65535, not "${port}".`);
  return { dialect, port: portNumber, host, redis, output, crews, sandboxDoor: sandbox ? 'open' : 'shut' };
}

/** `maria=TOKEN,jon=TOKEN` → tokens by user. Throws `UsageError`, without the tokens in its message. */
export function readUserTokens(text: string): NonNullable<Tokens['users']> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const entries = pairs.map((pair, index) => {
    const [, name, token] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(pair) ?? [];
    if (name === undefined || token === undefined)
      throw new UsageError(`Entry ${index + 1} of CREW_SERVICE_USER_TOKENS is not of the form name=token.`);
    return [name, token] as const;
  });
  return Object.fromEntries(entries);
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
