import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const read = (path: string) => readFileSync(resolve(CHECKOUT, path), 'utf8');

const LOCKFILE = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

/** The instructions of a Dockerfile, one per line, without comments. */
function instructionsOf(text: string): string[] {
  const lines = text.replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '');
  return lines.split('\n').filter((line) => line.trim() !== '');
}

/** The arguments of an exec form. */
const execForm = (instruction: string): unknown => JSON.parse(instruction.slice(instruction.indexOf('[')));

describe('the Dockerfile', () => {
  const text = read('deploy/Dockerfile');
  const instructions = instructionsOf(text);
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

  it('passes its linter', () => {
    expect(validate(text).map(({ message }) => message)).toEqual([]);
    expect(validate('FROM node\nRUNN npm ci').map(({ message }) => message)).toEqual(['Unknown instruction: RUNN']);
  });

  it('uses one Node.js image throughout, pinned by its digest, which the package supports', () => {
    const images = instructions.filter((line) => line.startsWith('FROM ')).map((line) => /node:\S+/.exec(line)?.[0]);
    expect(images).toHaveLength(3);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:24-slim@sha256:[0-9a-f]{64}$/);
    expect(
      z.object({ engines: z.object({ node: z.literal('>=20') }) }).safeParse(JSON.parse(read('package.json'))).success,
    ).toBe(true);
  });

  it('copies packages between platforms, as none of them has native code', () => {
    expect(instructions.filter((line) => line.includes('--platform='))).toHaveLength(2);
    expect(last[0]).not.toContain('--platform=');
    const native = Object.entries(LOCKFILE.parse(JSON.parse(read('package-lock.json'))).packages)
      .filter(([, { dev, devOptional }]) => !dev && !devOptional)
      .filter(([, { os, cpu, hasInstallScript }]) => os || cpu || hasInstallScript);
    expect(native.map(([path]) => path)).toEqual([]);
  });

  it('installs packages only from the lockfile, without their scripts, and ships no development packages', () => {
    const installs = instructions.filter((line) => line.includes('npm ci'));
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
    expect(last.filter((line) => line.startsWith('RUN'))).toEqual([]);
    expect(last).toContain('COPY --from=packages /app/node_modules ./node_modules');
    expect(installs[1]).toContain('--omit=dev');
  });

  it('copies only what exists and its ignore file lets in', () => {
    const allowed = read('deploy/Dockerfile.dockerignore').split('\n');
    const sources = instructions
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'src', 'manifest.yml']));
    for (const source of sources) {
      expect([source, existsSync(resolve(CHECKOUT, source))]).toEqual([source, true]);
      expect(allowed).toContain(`!${source}`);
    }
    expect(allowed[1]).toBe('*');
    expect(allowed.filter((line) => /env|crews/.test(line))).toEqual([]);
  });

  it('runs the bot as an unprivileged user that gets the signals', () => {
    expect(last).toContain('USER node');
    expect(execForm(last.findLast((line) => line.startsWith('CMD ')) ?? '')).toEqual(['node', 'dist/main.js']);
    const built = z.object({ files: z.array(z.string()) }).parse(JSON.parse(read('src/tsconfig.json')));
    expect(built.files).toEqual(expect.arrayContaining(['main.ts', 'tools/doctor/main.ts', 'tools/webhook/main.ts']));
  });

  it('has a health check that Node.js can parse', () => {
    const check = last.find((line) => line.startsWith('HEALTHCHECK ')) ?? '';
    const [program, flag, script] = z.tuple([z.string(), z.string(), z.string()]).parse(execForm(check));
    expect([program, flag]).toEqual(['node', '-e']);
    expect(script).toContain('/healthz');
    expect(() => new Function('fetch', 'process', script)).not.toThrow();
  });
});

const service = z.looseObject({
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  image: z.string(),
  environment: z.record(z.string(), z.string()).optional(),
  env_file: z.string().optional(),
  command: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z
    .object({ test: z.array(z.string()) })
    .loose()
    .optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  stop_grace_period: z.string(),
  restart: z.literal('unless-stopped'),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
});

const COMPOSE = z.object({
  name: z.literal('signoff'),
  services: z.object({ signoff: service, 'signoff-2': service, redis: service }),
  volumes: z.object({ redis: z.null() }),
});

describe('the compose file', () => {
  const { services, volumes } = COMPOSE.parse(parse(read('deploy/compose.yml'), { merge: true }));
  const bots = [services.signoff, services['signoff-2']];

  it('runs two bots from the Dockerfile that share one Redis', () => {
    for (const bot of bots) {
      const { context = '', dockerfile = '' } = bot.build ?? {};
      expect(existsSync(resolve(CHECKOUT, 'deploy', context, dockerfile))).toBe(true);
      expect(bot.environment).toEqual({ REDIS_URL: 'redis://redis:6379', PORT: '3000' });
      expect(bot.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    }
    expect(new Set(bots.map(({ ports }) => String(ports))).size).toBe(2);
  });

  it('gives a bot more time to stop than it takes, and Redis time to finish', () => {
    for (const bot of bots) expect(Number.parseInt(bot.stop_grace_period, 10)).toBeGreaterThan(10);
    expect(Number.parseInt(services.redis.stop_grace_period, 10)).toBeGreaterThan(10);
  });

  it('has a Redis that loses nothing, on a volume', () => {
    const command = services.redis.command?.join(' ');
    for (const setting of ['--appendonly yes', '--appendfsync always', '--maxmemory-policy noeviction'])
      expect(command).toContain(setting);
    expect(services.redis.image).toMatch(/^redis:7-bookworm@sha256:[0-9a-f]{64}$/);
    expect(services.redis.volumes).toEqual(['redis:/data']);
    expect(Object.keys(volumes)).toEqual(['redis']);
    expect(services.redis.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping']);
  });

  it('exposes Redis to no one, and the bots to this machine only', () => {
    expect(services.redis.ports).toBeUndefined();
    for (const { ports = [] } of bots) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});
