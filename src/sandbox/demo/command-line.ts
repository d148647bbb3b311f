import { resolve } from 'node:path';
import { CHECKOUT } from '../../setup/commands.mjs';
import { parseOptions, UsageError } from '../../setup/usage.mjs';

const HIGHEST_PORT = 65_535;

export type DemoSettings = {
  /** Holds all data of the demo. */
  readonly folder: string;
  /** True if the terminal shows the logs of the bot and the crew service. */
  readonly isVerbose: boolean;
  readonly ports: { readonly page: number; readonly crews: number; readonly bot: number };
};

/**
 * Parses the arguments after the program's name.
 * @throws {UsageError}
 */
export function readDemoSettings(args: readonly string[]): DemoSettings {
  const { port, folder, verbose: isVerbose } = parseOptions(args, OPTIONS).values;
  const page = Number(port);
  if (!/^\d+$/.test(port) || page === 0 || page + 200 > HIGHEST_PORT)
    throw new UsageError(`--port is a number from 1 to ${HIGHEST_PORT - 200}, not "${port}".`);
  return { folder: resolve(CHECKOUT, folder), isVerbose, ports: { page, crews: page + 100, bot: page + 200 } };
}

const OPTIONS = {
  port: { type: 'string', default: '4000' },
  folder: { type: 'string', default: '.demo' },
  verbose: { type: 'boolean', default: false },
} as const;
