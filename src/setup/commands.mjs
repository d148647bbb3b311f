import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout this file belongs to. */
export const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Where downloaded and unpacked things live; git ignores it and anybody may delete it. */
export const CACHE = join(CHECKOUT, '.cache');

/** Something this machine lacks or refuses: the message is one sentence that says what to do. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError';
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The first of these programs that PATH has, as an absolute path.
 * @param {string[]} names
 * @returns {string | undefined}
 */
export function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (found !== undefined) return resolve(found);
  }
  return undefined;
}

/** Whether system packages may be installed as this user. */
export function isRoot() {
  return process.getuid?.() === 0;
}

/**
 * Runs a program to its end. Never throws: a program that can't be started has failed with the reason as its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>} `output` is standard output and standard error as they came
 */
export function run(command, args, options = {}) {
  return new Promise((done) => {
    let output = '';
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => done({ ok: false, output: error.message }));
    child.on('close', (code) => done({ ok: code === 0, output }));
  });
}

/**
 * Runs a program that talks to the person at the terminal itself.
 * @param {string} command
 * @param {string[]} args
 * @param {{ stdout?: 'stdout' | 'stderr' }} [options] `stderr` keeps our own standard output free of what it says
 * @returns {Promise<number>} its exit code, as a shell would tell it
 */
export function runLoudly(command, args, { stdout = 'stdout' } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: CHECKOUT, stdio: ['ignore', stdout === 'stdout' ? 1 : 2, 2] });
    child.on('error', (error) => {
      say(`${command}: ${error.message}`);
      done(127);
    });
    child.on('close', (code, signal) => done(code ?? 128 + (signal === null ? 0 : osConstants.signals[signal])));
  });
}

/**
 * Tells the person at the terminal what goes on.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * The end of a program's output, where it says what was wrong.
 * @param {string} output
 */
export function lastLines(output) {
  return output.trimEnd().split('\n').slice(-5).join('\n');
}
