import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CHECKOUT, SetupError } from '../../setup/commands.mjs';

const HELP = `Runs everything on this machine, without accounts: Redis, the crews, a Slack workspace with a web page, and the bot.

  npm run demo -- [options]

  --port NUMBER    the page's port (default: 4000); the crews use PORT + 100, the bot PORT + 200
  --folder FOLDER  where all data is stored (default: .demo); delete it to start over
`;

const HIGHEST_PORT = 65_535;

export type DemoSettings = {
  /** Holds all data of the demo. */
  readonly folder: string;
  readonly ports: { readonly page: number; readonly crews: number; readonly bot: number };
};

/**
 * Parses the arguments after the program's name.
 * @throws {SetupError} with the usage, if they are invalid
 */
export function readDemoSettings(args: readonly string[]): DemoSettings {
  const { port, folder } = parsed(args);
  const page = Number(port);
  if (!/^\d+$/.test(port) || page === 0 || page + 200 > HIGHEST_PORT)
    throw new SetupError(`--port is a number from 1 to ${HIGHEST_PORT - 200}, not "${port}".`);
  return { folder: resolve(CHECKOUT, folder), ports: { page, crews: page + 100, bot: page + 200 } };
}

function parsed(args: readonly string[]) {
  const options = { port: { type: 'string', default: '4000' }, folder: { type: 'string', default: '.demo' } } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}
