import { payloadForm, TEAM } from '../../support/slack-server.ts';
import { CHANNEL } from './bot.ts';
import type { Card } from './cards.ts';
import { type Post, slackPost } from './requests.ts';

export const JON = 'UJON00002';
export const MARIA = 'UMARIA001';

/** Jon clicks on Approve. */
export function approvingClick(card: Card): Post {
  return approvingClickBy(JON, card);
}

/** A click on Approve as Slack sends it, with the whole message. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export function approvingClickBy(by: string, card: Card): Post {
  const { channel, ts, threadTs, approve } = card;
  const { actionId, blockId, value } = approve;
  const action = { type: 'button', action_id: actionId, block_id: blockId, value, style: 'primary' };
  return slackPost(
    payloadForm({
      type: 'block_actions',
      user: { id: by, username: by.toLowerCase(), name: by.toLowerCase(), team_id: TEAM },
      api_app_id: 'A0SIGNOFF',
      token: 'verification-token',
      container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false, thread_ts: threadTs },
      trigger_id: `${ts}.1`,
      team: { id: TEAM, domain: 'bench' },
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: channel, name: 'bench' },
      message: JSON.parse(JSON.stringify(messageOf(card))),
      state: { values: {} },
      response_url: 'http://127.0.0.1/nowhere',
      actions: [{ ...action, text: { type: 'plain_text', text: 'Approve' }, action_ts: ts }],
    }),
  );
}

function messageOf({ ts, threadTs, text, blocks }: Card) {
  const bot = { user: 'U0SIGNOFF', bot_id: 'B0SIGNOFF', app_id: 'A0SIGNOFF', team: TEAM };
  return { ...bot, type: 'message', ts, thread_ts: threadTs, parent_user_id: 'U0SIGNOFF', text, blocks };
}

/** `/kickoff …` as Maria types it in the channel. https://docs.slack.dev/interactivity/implementing-slash-commands */
export function kickoffCommand(text: string, number: number): Post {
  return slackPost(
    new URLSearchParams({
      ...{ token: 'verification-token', team_id: TEAM, team_domain: 'bench', channel_id: CHANNEL },
      ...{ channel_name: 'bench', user_id: MARIA, user_name: 'maria', command: '/kickoff', text },
      ...{ api_app_id: 'A0SIGNOFF', response_url: 'http://127.0.0.1/nowhere', trigger_id: `command.${number}` },
    }).toString(),
  );
}
