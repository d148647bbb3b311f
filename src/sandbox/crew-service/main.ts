import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { startRedisProcess } from '../../setup/redis-process.ts';
import { type CommandLine, HELP, readCommandLine, readLogLevel, readUserTokens, UsageError } from './command-line.ts';
import type { Crew } from './define-crew.ts';
import { exampleCrews } from './example-crews.ts';
import type { ScriptedCrew } from './sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from './start-crew-service.ts';

type Crews = readonly (Crew | ScriptedCrew)[];

const { env } = process;

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
  const crews = await crewsFor(commandLine);
  const redis = await redisFor(commandLine);
  try {
    const service = await start(commandLine, crews, redis.url);
    const stop = async () => {
      await service.close();
      await redis.end();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  } catch (error) {
    await redis.end();
    throw error;
  }
}

async function start(commandLine: CommandLine, crews: Crews, redisUrl: string): Promise<CrewService> {
  const organisation = env.CREW_SERVICE_TOKEN || randomBytes(24).toString('base64url');
  const users = readUserTokens(env.CREW_SERVICE_USER_TOKENS ?? '');
  const logger = pino({ level: readLogLevel(env.LOG_LEVEL || 'info') });
  const service = await startCrewService({ ...commandLine, crews, tokens: { organisation, users }, redisUrl, logger });
  for (const { name } of crews) console.log(`${name}: ${service.baseUrlOf(name)}`);
  if (!env.CREW_SERVICE_TOKEN) console.log(`Organisation token, generated for this run: ${organisation}`);
  return service;
}

async function crewsFor({ crews, output }: CommandLine): Promise<Crews> {
  if (crews !== undefined) {
    const module = await import(pathToFileURL(resolve(crews)).href);
    if (!Array.isArray(module.crews) || module.crews.length === 0)
      throw new UsageError(`${crews} exports no array named \`crews\`.`);
    return module.crews;
  }
  return exampleCrews({ outputFolder: resolve(output), env });
}

/** The configured Redis, or a private one whose data outlives the process. */
async function redisFor({ redis }: CommandLine): Promise<{ url: string; end(): Promise<void> }> {
  const url = redis ?? env.REDIS_URL;
  if (url) return { url, end: async () => {} };
  const folder = resolve('.demo/crew-service');
  await mkdir(folder, { recursive: true });
  const own = await startRedisProcess({ folder, appendOnly: true });
  return { url: own.socketPath, end: () => own.end() };
}
