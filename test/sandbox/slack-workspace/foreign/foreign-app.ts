import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../../src/sandbox/slack-workspace/driver/queries.ts';
import { download, ensureFolder } from '../../../../src/setup/cached-folder.mjs';
import { run, say } from '../../../../src/setup/commands.mjs';
import { makeEnvironment } from '../../../../src/setup/python.mjs';
import { ensureGo, ensureJava, ensurePython } from '../../../../src/setup/system-programs.mjs';

/** An app that isn't written with Bolt for JavaScript, in a folder beside this file. */
export interface ForeignApp {
  readonly folder: string;
  /** Finds or installs the programs that build and run it. Resolves to what the build depends on besides the folder. */
  prepare(): Promise<unknown>;
  /** Installs packages and builds, in a copy of the folder. */
  build(copy: string): Promise<void>;
  /** How it is started in the copy. */
  readonly command: readonly [string, ...string[]];
}

const packages = (registry: string) => ({
  failure: `The packages of a foreign app could not be fetched from ${registry}: see above, then run this again.`,
});

export const BOLT_FOR_PYTHON: ForeignApp = {
  folder: 'python',
  prepare: async () => (await run(await ensurePython(), ['--version'])).output,
  async build(copy) {
    await makeEnvironment(await ensurePython(), join(copy, 'venv'));
    const pip = '-m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt'.split(' ');
    await download(join(copy, 'venv/bin/python'), pip, { cwd: copy, ...packages('PyPI') });
  },
  command: ['venv/bin/python', 'app.py'],
};

export const BOLT_FOR_JAVA: ForeignApp = {
  folder: 'java',
  prepare: ensureJava,
  async build(copy) {
    const copyJars = '--batch-mode --quiet --strict-checksums dependency:copy-dependencies -DoutputDirectory=jars';
    await download('mvn', copyJars.split(' '), { cwd: copy, ...packages('Maven Central') });
  },
  command: ['java', '-cp', 'jars/*', 'Deploy.java'],
};

export const SLACK_GO: ForeignApp = {
  folder: 'go',
  prepare: ensureGo,
  async build(copy) {
    await download('go', ['mod', 'download'], { cwd: copy, ...packages('the proxy of Go modules') });
    const { ok, output } = await run('go', ['build', '-o', 'app'], { cwd: copy });
    if (!ok) throw new Error(output);
  },
  command: ['./app'],
};

export const CHAT_SDK: ForeignApp = {
  folder: 'javascript',
  prepare: async () => undefined,
  async build(copy) {
    await download('npm', ['ci', '--ignore-scripts'], { cwd: copy, ...packages('npm') });
  },
  command: [process.execPath, 'app.js'],
};

export interface RunningApp {
  /** Polls until this is so. Rejects with what the app printed if it ends first. */
  becomes(so: () => Promise<boolean>): Promise<unknown>;
  /** Everything that it printed so far. */
  printed(): string;
  stop(): Promise<void>;
}

export async function startForeignApp(app: ForeignApp, env: Record<string, string>): Promise<RunningApp> {
  const cwd = await built(app);
  const [command, ...args] = app.command;
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return {
    becomes: (so) =>
      eventually(
        async () => {
          if (child.exitCode !== null) throw new Error(`the app ended with ${child.exitCode}:\n${printed}`);
          return (await so()) || undefined;
        },
        async () => `the app does not answer:\n${printed}`,
      ),
    printed: () => printed,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The folder in .cache/ with the built app. */
async function built({ folder, prepare, build }: ForeignApp): Promise<string> {
  const source = join(dirname(fileURLToPath(import.meta.url)), folder);
  // Folders are what somebody has built there by hand.
  const names = (await readdir(source, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const files = await Promise.all(names.sort().map(async (name) => [name, await readFile(join(source, name), 'utf8')]));
  return ensureFolder(`foreign-${folder}`, [files, await prepare()], async (copy) => {
    say(`Building the app in ${folder} in .cache/ (half a minute, once) …`);
    for (const name of names) await copyFile(join(source, name), join(copy, name));
    await build(copy);
  });
}
