#!/usr/bin/env node
// The command `crew-service`: serves crews, or writes one to start from.
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
import { startPrivateRedis } from './redis/private-redis.ts';
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
  else await serve(commandLine);
}

async function serve(commandLine: CommandLine): Promise<void> {
  const redis = await redisFor(commandLine);
  try {
    const service = await start(commandLine, redis.url);
    const stop = async () => {
      await service.close();
      await redis.end();
    };
    stopOnSignals({ stop, exit: process.exit });
    void service.lost.then((error) => {
      console.error(error.message);
      process.exit(1);
    });
  } catch (error) {
    await redis.end();
    throw error;
  }
}

async function start(commandLine: CommandLine, redisUrl: string): Promise<CrewService> {
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
    ...{ tokens, crewTokens, redisUrl, logger, dashboard },
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

/** The configured Redis, or a private one whose data outlives the process. */
async function redisFor({ redis }: CommandLine): Promise<{ url: string; end(): Promise<void> }> {
  const url = redis ?? env.REDIS_URL;
  if (url) return { url, end: async () => {} };
  return startPrivateRedis(resolve('.crew-service/redis'), env);
}
