#!/usr/bin/env node
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { type CommandLine, describeWorkspace, HELP, readCommandLine, UsageError } from './command-line.ts';
import { onEndOfNpx } from './end-of-npx.ts';
import type { Json } from './json.ts';
import { pageFolder } from './page-folder.ts';
import { environmentFor, runCommand } from './run-command.ts';
import { readManifest } from './runtime/manifest.ts';
import { parseSeed } from './seed-file.ts';
import { type SlackWorkspace, startSlackWorkspace } from './start-slack-workspace.ts';
import { parseWorkflows } from './workflow.ts';

const { env, argv } = process;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

try {
  const commandLine = readCommandLine(argv.slice(2));
  if (commandLine === 'help') console.log(HELP);
  else if (commandLine === 'version') console.log(await packageVersion());
  else await serve(commandLine);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof UsageError) console.error(`\n${HELP}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function packageVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version;
}

async function serve(commandLine: CommandLine): Promise<void> {
  const { host, port, admin, rateLimits, delivery, command } = commandLine;
  const declared = readManifest(await textAt('manifest', commandLine.manifest), {
    granted: 'all',
    reachedBy: delivery ? 'elsewhere' : 'manifest',
  });
  const app = { ...declared, ...(delivery && { delivery }) };
  const folder = commandLine.folder === undefined ? undefined : resolve(commandLine.folder);
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const { workflows, seed } = commandLine;
  const slack = await startSlackWorkspace({
    ...{ app, host, port, admin, rateLimits, pageDir: pageFolder() },
    ...(workflows !== undefined && { workflows: await readFrom('workflows', workflows, parseWorkflows) }),
    ...(seed !== undefined && { seed: await readFrom('seed', seed, parseSeed) }),
    ...(folder !== undefined && { stateFile: join(folder, 'workspace.json') }),
  }).catch((error: unknown) => {
    throw new Error(whyNotListening(error, commandLine), { cause: error });
  });
  console.log(describeWorkspace(app, slack, { folder, command }));
  if (command) await runUntilItEnds(command, slack);
  else {
    for (const signal of SIGNALS) process.once(signal, () => stop(slack, 0));
    onEndOfNpx(env, () => stop(slack, 0));
  }
}

/** The command decides what a signal means, and when it is over. */
async function runUntilItEnds(command: readonly string[], slack: SlackWorkspace): Promise<void> {
  const running = runCommand(command, environmentFor(slack, env));
  for (const signal of SIGNALS) process.on(signal, () => running.signal(signal));
  onEndOfNpx(env, running.end);
  const code = await running.ended.catch((error: Error) => {
    console.error(error.message);
    // A shell says it so.
    return 127;
  });
  await stop(slack, code);
}

async function textAt(what: 'manifest' | 'workflows' | 'seed', path: string): Promise<string> {
  const file = resolve(path);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The ${what} ${file} can't be read: ${error.code ?? error.message}.`);
  });
}

/** Reads a file of YAML or JSON. */
async function readFrom<T>(what: 'workflows' | 'seed', path: string, parseValue: (value: Json) => T): Promise<T> {
  const text = await textAt(what, path);
  try {
    return parseValue(parse(text));
  } catch (error) {
    throw new UsageError(`The ${what} ${path} can't be used: ${error instanceof Error ? error.message : error}`);
  }
}

function whyNotListening(error: unknown, { host, port }: CommandLine): string {
  if (!(error instanceof Error)) return String(error);
  switch ('code' in error && error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Choose another one with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `--host ${host} is no name or address of this machine.`;
    default:
      return error.message;
  }
}

async function stop(slack: SlackWorkspace, code: number): Promise<void> {
  await slack.close();
  process.exit(code);
}
