import { parseArgs } from 'node:util';
import { isSent } from './interactions/events.ts';
import type { AppSettings } from './runtime/installed-app.ts';
import type { SlackWorkspace } from './start-slack-workspace.ts';

export const HELP = `Starts a Slack workspace on this machine, with a web page, to develop a Slack app against.

  npx @signoff/slack-workspace --manifest FILE [options]
  npx @signoff/slack-workspace run --manifest FILE [options] -- COMMAND
                     also runs the command, such as npm start, and ends with it: it finds the addresses and tokens in its
                     environment, and what Node.js sends to slack.com comes here

  --manifest FILE    the app's manifest, JSON or YAML
  --port NUMBER      of the API and the page (default: 4300; 0 for any free one)
  --host NAME        the name or address that it listens at, and that its URLs begin with (default: 127.0.0.1). The page has
                     no login: whoever reaches it acts as anybody
  --seed FILE        the people, groups, channels and messages that are there at first, JSON or YAML
  --rate-limits real|off
                     Slack's rate limits, or none (default: real)
  --folder FOLDER    where everything is stored; without it, everything is gone when the workspace stops
  --socket           Socket Mode, whatever the manifest says
  --request-url URL  where the app takes events, interactions and commands, whatever the manifest says
  --workflows FILE   workflows of the app's custom steps, JSON or YAML: people start them on the page
  --admin            serves /_sandbox/…: faults and changes of the workspace, for tests in other processes
  --version
  --help, -h
`;

export type CommandLine = {
  /** The command that `run` runs, with its arguments. */
  readonly command: readonly string[] | undefined;
  readonly host: string;
  readonly seed: string | undefined;
  readonly rateLimits: 'real' | 'off';
  readonly admin: boolean;
  readonly manifest: string;
  readonly port: number;
  readonly folder: string | undefined;
  readonly workflows: string | undefined;
  readonly delivery: { mode: 'socket' } | { mode: 'http'; requestUrl: string } | undefined;
};

/** The command line is invalid. */
export class UsageError extends Error {}

/** Parses the arguments after the program's name. Throws `UsageError`. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' | 'version' {
  const { options, command } = splitAtCommand(args);
  const {
    help,
    version,
    manifest,
    port,
    socket,
    'request-url': requestUrl,
    'rate-limits': rateLimits,
    ...others
  } = parsed(options);
  if (help) return 'help';
  if (version) return 'version';
  if (manifest === undefined) throw new UsageError('--manifest is missing: the file with the manifest of your app.');
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port is a number up to 65535, not "${port}".`);
  if (rateLimits !== 'real' && rateLimits !== 'off')
    throw new UsageError(`--rate-limits is real or off, not "${rateLimits}".`);
  if (socket && requestUrl !== undefined) throw new UsageError('--socket and --request-url exclude each other.');
  if (requestUrl !== undefined && !/^https?:\/\//.test(requestUrl))
    throw new UsageError(`--request-url begins with http:// or https://, unlike "${requestUrl}".`);
  const { host, folder, seed, workflows, admin } = others;
  const delivery = deliveryOf(socket, requestUrl);
  return { command, manifest, host, port: Number(port), folder, seed, workflows, rateLimits, admin, delivery };
}

/** `run [options] -- COMMAND` */
function splitAtCommand([first, ...rest]: readonly string[]): { options: string[]; command: string[] | undefined } {
  if (first !== 'run') return { options: first === undefined ? [] : [first, ...rest], command: undefined };
  if (['--help', '-h', '--version'].includes(rest[0] ?? '')) return { options: rest, command: undefined };
  const dashes = rest.indexOf('--');
  if (dashes === -1 || dashes === rest.length - 1)
    throw new UsageError('run needs a command after --, such as: run --manifest FILE -- npm start');
  return { options: rest.slice(0, dashes), command: rest.slice(dashes + 1) };
}

function deliveryOf(socket: boolean, requestUrl: string | undefined): CommandLine['delivery'] {
  if (socket) return { mode: 'socket' };
  return requestUrl === undefined ? undefined : { mode: 'http', requestUrl };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        manifest: { type: 'string' },
        port: { type: 'string', default: '4300' },
        host: { type: 'string', default: '127.0.0.1' },
        seed: { type: 'string' },
        'rate-limits': { type: 'string', default: 'real' },
        folder: { type: 'string' },
        workflows: { type: 'string' },
        admin: { type: 'boolean', default: false },
        socket: { type: 'boolean', default: false },
        'request-url': { type: 'string' },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Described = Pick<AppSettings, 'name' | 'delivery' | 'events'>;
type Addresses = Pick<SlackWorkspace, 'apiUrl' | 'pageUrl' | 'botToken' | 'appToken' | 'signingSecret'>;

/** Returns the facts by which a developer points an app at the workspace. */
export function describeWorkspace(
  app: Described,
  slack: Addresses,
  { folder, command }: Pick<CommandLine, 'folder' | 'command'>,
): string {
  const unsent = app.events.filter((event) => !isSent(event));
  return [
    `${app.name} is installed in a Slack workspace on this machine. Ctrl-C stops it.`,
    folder === undefined
      ? 'Everything in it is gone then; --folder FOLDER keeps it.'
      : `Everything stays in ${folder}.`,
    ...(unsent.length > 0 ? [`Events that it never sends: ${unsent.join(', ')}.`] : []),
    '',
    `Page            ${slack.pageUrl}`,
    `API             ${slack.apiUrl}`,
    `Bot token       ${slack.botToken}`,
    `App token       ${slack.appToken}`,
    `Signing secret  ${slack.signingSecret}`,
    ...destinations(app.delivery),
    '',
    ...(command
      ? [`Runs ${command.join(' ')}, and ends with it.`]
      : ['Point Bolt at it:', '', ...boltApp(app.delivery.mode, slack)]),
  ].join('\n');
}

function destinations(delivery: AppSettings['delivery']): string[] {
  if (delivery.mode === 'socket') return ['Delivers over   Socket Mode'];
  const { requestUrl, urls = {} } = delivery;
  const addresses = requestUrl === undefined ? Object.values(urls) : [requestUrl];
  return [`Delivers to     ${[...new Set(addresses)].join(', ') || 'nowhere: see --socket and --request-url'}`];
}

function boltApp(mode: 'http' | 'socket', { botToken, appToken, signingSecret, apiUrl }: Addresses): string[] {
  return [
    '  const app = new App({',
    `    token: '${botToken}',`,
    ...(mode === 'socket'
      ? ['    socketMode: true,', `    appToken: '${appToken}',`]
      : [`    signingSecret: '${signingSecret}',`]),
    `    clientOptions: { slackApiUrl: '${apiUrl}' },`,
    '  });',
  ];
}
