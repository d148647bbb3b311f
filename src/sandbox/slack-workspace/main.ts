#!/usr/bin/env node
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CommandLine, describeWorkspace, HELP, readCommandLine, UsageError } from './command-line.ts';
import { pageFolder } from './page-folder.ts';
import { readManifest } from './runtime/manifest.ts';
import { type SlackWorkspace, startSlackWorkspace } from './start-slack-workspace.ts';

try {
  const commandLine = readCommandLine(process.argv.slice(2));
  if (commandLine === 'help') console.log(HELP);
  else await serve(commandLine);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof UsageError) console.error(`\n${HELP}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function serve(commandLine: CommandLine): Promise<void> {
  const { port, admin, delivery } = commandLine;
  const declared = readManifest(await manifestAt(resolve(commandLine.manifest)), {
    granted: 'all',
    reachedBy: delivery ? 'elsewhere' : 'manifest',
  });
  const app = { ...declared, ...(delivery && { delivery }) };
  const folder = commandLine.folder === undefined ? undefined : resolve(commandLine.folder);
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const slack = await startSlackWorkspace({
    app,
    port,
    admin,
    pageDir: pageFolder(),
    ...(folder !== undefined && { stateFile: join(folder, 'workspace.json') }),
  }).catch((error: unknown) => {
    throw isTaken(error) ? new Error(`Port ${port} is in use. Choose another one with --port.`) : error;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(slack));
  console.log(describeWorkspace(app, slack, folder));
}

async function manifestAt(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The manifest ${file} can't be read: ${error.code ?? error.message}.`);
  });
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

async function stop(slack: SlackWorkspace): Promise<void> {
  await slack.close();
  process.exit(0);
}
