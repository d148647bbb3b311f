import { setTimeout as pause } from 'node:timers/promises';
import type { AuthTestResponse, WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { backoffMs } from '../../core/values/time.ts';
import { isTokenError, slackErrorName } from './errors.ts';

/** The workspace or organisation (Enterprise Grid) on which the app is installed. An id is empty if Slack didn't give it. */
export type Installation = { kind: 'workspace'; teamId: string } | { kind: 'organisation'; enterpriseId: string };

export interface Identity {
  installation: Installation;
  botUserId: string;
  botId: string | null;
  /** The name for `/invite @name`. */
  botName: string;
  /** Ends in a slash; links to messages begin with it. */
  workspaceUrl: string;
  scopes: ReadonlySet<string>;
}

/** Fetches the bot's identity. Throws what the client throws: the operator has to fix a wrong token before anything runs. */
export async function fetchIdentity(client: WebClient): Promise<Identity> {
  const answer = await client.auth.test();
  return {
    installation: installationOf(answer),
    botUserId: answer.user_id ?? '',
    botId: answer.bot_id ?? null,
    botName: answer.user ?? 'Signoff',
    workspaceUrl: `${(answer.url ?? 'https://slack.com').replace(/\/$/, '')}/`,
    scopes: new Set(answer.response_metadata?.scopes ?? []),
  };
}

/**
 * Returns where the app is installed. An organisation's answer has its own id as `team_id`.
 * https://docs.slack.dev/reference/methods/auth.test
 */
function installationOf(answer: AuthTestResponse): Installation {
  return answer.is_enterprise_install
    ? { kind: 'organisation', enterpriseId: answer.enterprise_id ?? '' }
    : { kind: 'workspace', teamId: answer.team_id ?? '' };
}

/** Returns a link to a message; a reply opens in its thread. https://docs.slack.dev/reference/methods/chat.getPermalink */
export function permalink(identity: Identity, channel: string, ts: string, threadTs: string | null): string {
  const address = `${identity.workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`;
  return threadTs === null || threadTs === ts ? address : `${address}?thread_ts=${threadTs}&cid=${channel}`;
}

const RETRY = { firstMs: 1_000, mostMs: 5 * 60_000 };

interface WatchPorts {
  client: WebClient;
  log: Logger;
}

/** Watches whether the bot token works. Asks Slack only while something suggests that it doesn't. */
export class TokenWatch {
  readonly #ports: WatchPorts;
  readonly #stopping = new AbortController();
  #trouble: string | null = null;
  #checking = false;
  #onWorking = () => {};

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  /** Returns Slack's name for why the token doesn't work; null while it works, as far as we know. */
  trouble(): string | null {
    return this.#trouble;
  }

  /** Sets the listener for each time that the token works again. */
  onWorking(listener: () => void): void {
    this.#onWorking = listener;
  }

  /** Asks Slack again and again until the token works. Call it when the token may not work. */
  check(): void {
    if (this.#checking) return;
    this.#checking = true;
    void this.#untilWorking().finally(() => {
      this.#checking = false;
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #untilWorking(): Promise<void> {
    const { signal } = this.#stopping;
    for (let tries = 0; !signal.aborted && !(await this.#works()); tries++)
      await pause(backoffMs(tries, RETRY), null, { signal, ref: false }).catch(() => {});
  }

  async #works(): Promise<boolean> {
    const { client, log } = this.#ports;
    try {
      await client.auth.test();
    } catch (error) {
      const name = slackErrorName(error);
      if (isTokenError(name) && name !== this.#trouble) {
        log.error({ slackError: name }, 'Slack refuses SLACK_BOT_TOKEN: nothing is posted, and nobody is answered');
        this.#trouble = name;
      }
      return false;
    }
    if (this.#trouble !== null) {
      log.info('SLACK_BOT_TOKEN works again');
      this.#trouble = null;
      this.#onWorking();
    }
    return true;
  }
}
