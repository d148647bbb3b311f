import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

type Manifest = {
  workspaces: string[];
  /** https://docs.npmjs.com/cli/v11/configuring-npm/package-json#allowscripts */
  allowScripts: Record<string, boolean>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  license?: string;
};
type Locked = Partial<Manifest> & {
  peerDependencies?: Record<string, string>;
  version?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  link?: boolean;
};

const read = (path: string) => JSON.parse(readFileSync(join(CHECKOUT, path), 'utf8'));
const manifest: Manifest = read('package.json');
const workspaces: Manifest[] = manifest.workspaces.map((folder) => read(`${folder}/package.json`));
const locked = packagesIn('package-lock.json');
const installed = packagesIn('node_modules/.package-lock.json');
const asked = [manifest, ...workspaces].flatMap(({ dependencies, devDependencies }) =>
  Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => !name.startsWith('@signoff/')),
);

/** What a lockfile says of each package from the registry, by its path. */
function packagesIn(lockfile: string): Record<string, Locked> {
  const packages: [string, Locked][] = Object.entries(read(lockfile).packages);
  return Object.fromEntries(packages.filter(([path, { link }]) => path.includes('node_modules/') && link !== true));
}

/** The paths of what `dependencies` bring, found as Node.js finds them. */
function broughtBy(dependencies: Record<string, string>, from = '', found = new Set<string>()): Set<string> {
  for (const name of Object.keys(dependencies)) {
    const folders = from.split('/node_modules/').map((_, depth, all) => all.slice(0, depth + 1).join('/node_modules/'));
    const path = ['', ...folders]
      .map((folder) => join(folder, 'node_modules', name))
      .findLast((candidate) => locked[candidate] !== undefined);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    broughtBy({ ...locked[path]?.dependencies, ...locked[path]?.peerDependencies }, path, found);
  }
  return found;
}

// These ask nothing of anyone who runs or changes Signoff, beyond keeping the copyright alerts.
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
];
// Copyleft per file, for development tools whose files we neither change nor ship.
const FOR_DEVELOPMENT = [...PERMISSIVE, 'MPL-2.0', 'CC-BY-4.0', 'Python-2.0'];

// Before adding one, ask what it gives, who maintains it and what it depends on.
const CHOSEN = [
  '@marcbachmann/cel-js',
  '@slack/bolt',
  '@slack/socket-mode',
  '@slack/types',
  '@slack/web-api',
  'aws4fetch',
  'diff',
  'intl-messageformat',
  'ioredis',
  'lru-cache',
  'marked',
  'openid-client',
  'p-limit',
  'pino',
  'prom-client',
  'undici',
  'yaml',
  'zod',
];

/** `(MIT OR Apache-2.0)` lets us choose; `MIT AND ISC` means both. */
function allows(licence: string | undefined, allowed: readonly string[]): boolean {
  const choices = (licence ?? 'none').replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)));
}

// Those that name their licence in their README alone.
const BY_README: Record<string, string> = { 'humanize-number': 'MIT', only: 'MIT' };

/** Old packages have a list of them: https://docs.npmjs.com/cli/v11/configuring-npm/package-json#license */
function licenceOf(path: string): string | undefined {
  const { name, license, licenses } = read(`${path}/package.json`);
  return license ?? licenses?.map(({ type }: { type: string }) => type).join(' AND ') ?? BY_README[name];
}

function refusedLicences(packages: [string, Locked][], allowed: readonly string[]): string[] {
  return packages
    .map(([path]) => [path, licenceOf(path)] as const)
    .filter(([, licence]) => !allows(licence, allowed))
    .map(([path, licence]) => `${path}: ${licence ?? 'no licence'}`);
}

const entries = Object.entries(installed);
const production = entries.filter(([, { dev }]) => dev !== true);

describe('licences', () => {
  it('of all production packages are permissive', () => {
    expect(production.length).toBeGreaterThan(Object.keys(manifest.dependencies).length);
    expect(refusedLicences(production, PERMISSIVE)).toEqual([]);
  });

  it('of packages that the build bundles into a tool are permissive, too', () => {
    const bundled = broughtBy({ '@modelcontextprotocol/sdk': '', '@observablehq/plot': '', linkedom: '' });
    const found = [...bundled].flatMap((path): [string, Locked][] =>
      installed[path] ? [[path, installed[path]]] : [],
    );
    expect(found.length).toBeGreaterThan(50);
    expect(refusedLicences(found, PERMISSIVE)).toEqual([]);
  });

  it('of development packages ask nothing of what we ship', () => {
    expect(refusedLicences(entries, FOR_DEVELOPMENT)).toEqual([]);
  });

  it.each([undefined, 'UNLICENSED', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SSPL-1.0 OR AGPL-3.0-only'])(
    'like %s are refused',
    (licence) => {
      expect(allows(licence, FOR_DEVELOPMENT)).toBe(false);
    },
  );

  it.each(['MIT', '(MIT OR GPL-2.0-only)', 'MIT AND ISC'])('like %s are accepted', (licence) => {
    expect(allows(licence, PERMISSIVE)).toBe(true);
  });
});

describe('packages', () => {
  it('of production are few, each chosen deliberately', () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual(CHOSEN);
    expect(production.length).toBeLessThan(152);
  });

  it('of production are those of the bot alone, since npm installs what workspaces depend on with --omit=dev, too', () => {
    const bot = broughtBy(manifest.dependencies);
    const others = Object.entries(locked).filter(([path, { dev, optional }]) => !dev && !optional && !bot.has(path));
    expect(others.map(([path]) => path)).toEqual([]);
  });

  it('come only from the registry, with a checksum', () => {
    const loose = Object.entries(locked).filter(
      ([, { resolved, integrity }]) => !integrity?.startsWith('sha512-') || /^(git|file)/.test(resolved ?? ''),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  // Not `ignore-scripts` in .npmrc, which would skip the build before `npm pack`, too.
  it('run no install scripts: npm is told so by name', () => {
    const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const denied = scripted.map(([path]) => [path.replace(/^.*node_modules\//, ''), false]);
    expect(manifest.allowScripts).toEqual(Object.fromEntries(denied));
  });

  it('of production have no install scripts', () => {
    const scripted = Object.entries(locked).filter(
      ([, entry]) => entry.dev !== true && entry.hasInstallScript === true,
    );
    expect(scripted.map(([path]) => path)).toEqual([]);
  });

  it('are pinned to exact versions', () => {
    const loose = asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/.test(version));
    expect(loose).toEqual([]);
  });

  it('are locked in the versions that package.json pins', () => {
    const { dependencies, devDependencies } = manifest;
    expect(read('package-lock.json').packages['']).toMatchObject({ dependencies, devDependencies });
    const other = asked.filter(([name, version]) => locked[`node_modules/${name}`]?.version !== version);
    expect(other).toEqual([]);
  });
});
