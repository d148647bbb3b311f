import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout this file belongs to. */
export const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Downloads and test results. Ignored by git and safe to delete. */
export const CACHE = join(CHECKOUT, '.cache');

/** This machine lacks or refuses something. The message is one sentence that says what to do. */
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
 * The absolute path of the first of these programs that is on PATH.
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

/** Whether this user may install system packages. */
export function isRoot() {
  return process.getuid?.() === 0;
}

/**
 * Runs a program until it exits. Never rejects: if the program can't be started, `output` is the reason.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>} `output` is stdout and stderr, interleaved
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
 * Runs a program that writes to the terminal itself.
 * @param {string} command
 * @param {string[]} args
 * @param {{ stdout?: 'stdout' | 'stderr' }} [options] `stderr` sends its output to our stderr
 * @returns {Promise<number>} its exit code, as a shell reports it
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
 * Writes a progress message to the terminal (stderr).
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * The end of a program's output, where the error usually is.
 * @param {string} output
 */
export function lastLines(output) {
  return output.trimEnd().split('\n').slice(-5).join('\n');
}
