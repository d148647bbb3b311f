// `slack-workspace run -- COMMAND`: the command, with what it needs to find the workspace in place of Slack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { SlackWorkspace } from './start-slack-workspace.ts';

type Addresses = Pick<SlackWorkspace, 'apiUrl' | 'botToken' | 'appToken' | 'signingSecret'>;

/** Apps read these variables. One of them redirects apps for Node.js that don't. */
export function environmentFor(slack: Addresses, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const redirect = `--import=${new URL('./redirect.js', import.meta.url).href}`;
  return {
    ...env,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    NODE_OPTIONS: [env.NODE_OPTIONS, redirect].filter(Boolean).join(' '),
  };
}

/** Processes that the command has left have this long after SIGTERM. */
const GRACE_MS = 3_000;

export type RunningCommand = {
  signal(name: NodeJS.Signals): void;
  /** Ends it and everything that it started, by SIGKILL if SIGTERM doesn't. */
  end(): Promise<void>;
  /** Its exit code, as a shell reports it, once neither the command nor anything that it started runs. */
  readonly ended: Promise<number>;
};

/** Starts the command in a process group of its own, so that Ctrl-C comes once, from us, and nothing that it started is left. */
export function runCommand([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): RunningCommand {
  const child = spawn(program, args, { env, stdio: 'inherit', detached: true });
  return { signal, end, ended: ended() };

  function signal(name: NodeJS.Signals): void {
    // A terminal sends Ctrl-C to the whole group, and npm relies on it: the shell that it starts waits for its own command.
    if (name === 'SIGINT' && child.pid !== undefined) signalGroup(child.pid, name);
    else child.kill(name);
  }

  async function end(): Promise<void> {
    if (child.pid !== undefined) await endGroup(child.pid);
  }

  async function ended(): Promise<number> {
    const exited = once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
      throw new Error(`${program} can't be started: ${error.code ?? error.message}.`);
    });
    const [code, signal]: [number | null, NodeJS.Signals | null] = (await exited) as never;
    await end();
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  }
}

async function endGroup(id: number): Promise<void> {
  const until = performance.now() + GRACE_MS;
  let runs = signalGroup(id, 'SIGTERM');
  while (runs && performance.now() < until) {
    await pause(20);
    runs = signalGroup(id, 0);
  }
  if (runs) signalGroup(id, 'SIGKILL');
}

/** False if nothing in the group runs. */
function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-id, signal);
  } catch {
    return false;
  }
}
