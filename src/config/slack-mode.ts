import type { Result } from '../core/result.ts';
import { ok, refuse } from '../core/result.ts';
import type { Environment } from './environment.ts';

/** How Slack's requests reach the bot. */
export type SlackMode = { kind: 'http'; signingSecret: string } | { kind: 'socket'; appToken: string };

/** Refuses both at once: in the wrong mode the bot would run but get no requests. */
export function readSlackMode(env: Environment): Result<SlackMode, string[]> {
  const { SLACK_SIGNING_SECRET: signingSecret, SLACK_APP_TOKEN: appToken } = env;
  const names = 'SLACK_APP_TOKEN (Socket Mode, as in manifest.yml) or SLACK_SIGNING_SECRET (HTTP mode)';
  const wrongToken = appToken === undefined ? [] : appTokenProblems(appToken);
  if (signingSecret !== undefined && appToken !== undefined)
    return refuse([`Set only one of ${names}.`, ...wrongToken]);
  if (signingSecret !== undefined) return ok({ kind: 'http', signingSecret });
  if (appToken === undefined) {
    return refuse([`Set ${names}; both are on the Basic Information page of your Slack app.`]);
  }
  return wrongToken.length === 0 ? ok({ kind: 'socket', appToken }) : refuse(wrongToken);
}

function appTokenProblems(appToken: string): string[] {
  if (/^xapp-[\x21-\x7e]+$/.test(appToken)) return [];
  return ['SLACK_APP_TOKEN must be a complete app-level token of your Slack app, which starts with xapp-.'];
}
