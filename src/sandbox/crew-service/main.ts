#!/usr/bin/env node
// The command `crew-service`: serves crews, or writes one to start from.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pino } from 'pino';
import {
  type CommandLine,
  HELP,
  readCommandLine,
  readDashboardSecret,
  readLogLevel,
  readTokens,
  UsageError,
} from './command-line.ts';
import type { CrewFile } from './crew-process/process-pool.ts';
import { newCrew } from './new-crew.ts';
import { PACKAGE } from './places.ts';
import { type CrewService, exampleCrewFile, startCrewService } from './service.ts';
import { stopOnSignals } from './stop-on-signals.ts';

const { env } = process;

try {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'new') console.log(args.some(isHelp) ? HELP : await newCrew(args, env));
  else await serveOrHelp(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof UsageError) console.error(`\n${HELP}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h';
}

async function serveOrHelp(args: readonly string[]): Promise<void> {
  const commandLine = readCommandLine(args);
  if (commandLine === 'help') console.log(HELP);
  else if (commandLine === 'version') console.log(JSON.parse(await readFile(PACKAGE, 'utf8')).version);
  else await serve(commandLine);
}

async function serve(commandLine: CommandLine): Promise<void> {
  const service = await start(commandLine);
  stopOnSignals({ stop: service.close, exit: process.exit, env });
  void service.lost.then((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

async function start(commandLine: CommandLine): Promise<CrewService> {
  const { tokens, crewTokens, isGenerated } = await readTokens(env);
  const logger = pino({ level: readLogLevel(env.LOG_LEVEL || 'info') });
  const { runs: runsAtOnce, memoryMb, dashboard: webhook, ...options } = commandLine;
  const { secret, isGenerated: isSecretGenerated } = readDashboardSecret(env);
  const dashboard = webhook && { ...webhook, secret };
  const service = await startCrewService({
    ...options,
    crews: [],
    crewFiles: crewFilesIn(commandLine),
    crewProcesses: { env, runsAtOnce, memoryMb },
    ...{ tokens, crewTokens, logger, dashboard },
    redisUrl: commandLine.redis ?? (env.REDIS_URL || undefined),
  });
  for (const name of service.crewNames) console.log(`${name}: ${service.baseUrlOf(name)}`);
  if (dashboard && isSecretGenerated)
    console.log(`Secret of the dashboard's webhook, generated for this run: ${secret}`);
  if (isGenerated) console.log(`Organisation token, generated for this run: ${tokens.organisation}`);
  return service;
}

function crewFilesIn({ crews, output, dialect }: CommandLine): CrewFile[] {
  if (crews.length > 0) return crews.map((file) => ({ file }));
  return [exampleCrewFile({ outputFolder: resolve(output), dialect })];
}
