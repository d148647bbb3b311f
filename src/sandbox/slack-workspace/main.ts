#!/usr/bin/env node
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { type CommandLine, describeWorkspace, HELP, readCommandLine, UsageError } from './command-line.ts';
import { pageFolder } from './page-folder.ts';
import { readManifest } from './runtime/manifest.ts';
import { type SlackWorkspace, startSlackWorkspace } from './start-slack-workspace.ts';
import { parseWorkflows, type Workflow } from './workflow.ts';

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
  const declared = readManifest(await textAt('manifest', commandLine.manifest), {
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
    ...(commandLine.workflows !== undefined && { workflows: await workflowsAt(commandLine.workflows) }),
    ...(folder !== undefined && { stateFile: join(folder, 'workspace.json') }),
  }).catch((error: unknown) => {
    throw isTaken(error) ? new Error(`Port ${port} is in use. Choose another one with --port.`) : error;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(slack));
  console.log(describeWorkspace(app, slack, folder));
}

async function textAt(what: 'manifest' | 'workflows', path: string): Promise<string> {
  const file = resolve(path);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The ${what} ${file} can't be read: ${error.code ?? error.message}.`);
  });
}

async function workflowsAt(path: string): Promise<Workflow[]> {
  const text = await textAt('workflows', path);
  try {
    return parseWorkflows(parse(text));
  } catch (error) {
    throw new UsageError(`The workflows ${path} are wrong: ${error instanceof Error ? error.message : error}`);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

async function stop(slack: SlackWorkspace): Promise<void> {
  await slack.close();
  process.exit(0);
}
