import { callFailureOf } from '../slack/api/errors.ts';
import { type EndReason, NotConnected } from '../slack/receivers/socket-connection.ts';

/** Which token a call depends on. */
export type SlackToken = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Why a call to Slack failed that the bot can't start without, in two parts of one sentence each. */
interface SlackStartFailure {
  what: string;
  advice: string;
  /** Whether it may pass by itself, and how long Slack asks us to wait for that, if it does. */
  isPassing: boolean;
  waitMs: number | null;
}

/** Never quotes an answer that isn't Slack's, nor a token. */
export function slackStartFailure(error: unknown, token: SlackToken): SlackStartFailure {
  if (error instanceof NotConnected) return socketFailure(error.reason);
  const failure = callFailureOf(error);
  switch (failure.kind) {
    case 'rate-limited':
      return passing(`Slack limits the rate of this app's calls (${failure.answer})`, LATER, failure.waitMs);
    case 'unavailable':
      return passing(`Slack answered ${failure.answer}`, `Look at https://slack-status.com. ${LATER}`, failure.waitMs);
    case 'refused':
      return lasting(`Slack refused ${token} (${failure.name})`, "Copy it from the app's settings again.");
    case 'foreign': {
      const what = `What answers at SLACK_API_URL isn't Slack's API (${failure.answer})`;
      return lasting(what, 'Check the address, and the proxy on the way.');
    }
    case 'unreached':
      return lasting("Couldn't reach Slack at SLACK_API_URL", 'Check the network and the address.');
  }
}

const LATER = 'Start the bot again later.';
const CHECK_WEBSOCKETS = 'Check that the network and its proxy let WebSocket connections to Slack through.';

function socketFailure(reason: EndReason): SlackStartFailure {
  switch (reason) {
    case 'link_disabled': {
      const advice = 'Turn it on there, or use HTTP mode: SLACK_SIGNING_SECRET instead of SLACK_APP_TOKEN.';
      return lasting("Socket Mode is turned off in the app's settings (link_disabled)", advice);
    }
    case 'too_many_websockets': {
      const what = 'Slack allows this app no more Socket Mode connections (too_many_websockets)';
      return passing(what, 'Stop other processes that use SLACK_APP_TOKEN; at most ten may be connected.');
    }
    case 'no_hello':
      return passing('Slack left the Socket Mode connection unanswered', CHECK_WEBSOCKETS);
    case 'lost':
    case 'warning':
    case 'refresh_requested':
    case 'other':
      return passing(`The Socket Mode connection ended before it was ready (${reason})`, CHECK_WEBSOCKETS);
  }
}

function passing(what: string, advice: string, waitMs: number | null = null): SlackStartFailure {
  return { what, advice, isPassing: true, waitMs };
}

function lasting(what: string, advice: string): SlackStartFailure {
  return { what, advice, isPassing: false, waitMs: null };
}
