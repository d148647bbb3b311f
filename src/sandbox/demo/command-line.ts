import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CHECKOUT, SetupError } from '../../setup/commands.mjs';

const HELP = `Runs everything on this machine, with no accounts: Redis, the crews, the Slack workspace with its page, and the bot.

  npm run demo -- [options]

  --port NUMBER    the page's port (default: 4000); the crews take the one 100 above it, the bot the one 200 above it
  --folder FOLDER  where everything is kept (default: .demo); remove the folder to begin anew
`;

const HIGHEST_PORT = 65_535;

export type DemoSettings = {
  /** Everything that the demo keeps. */
  readonly folder: string;
  readonly ports: { readonly page: number; readonly crews: number; readonly bot: number };
};

/**
 * Reads the arguments after the program's name.
 * @throws {SetupError} with what can be said, where they are not understood
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
