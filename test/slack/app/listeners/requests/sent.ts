import type { KnownKind } from '../../../../../src/slack/receivers/request.ts';
import type { ActionId, ShortcutId, SubmittedModal } from '../../../../../src/slack/ui/action-ids.ts';
import { clickPayload, submissionPayload, TEAM } from '../../../../support/slack-server.ts';
import { CHANNEL } from './cast.ts';
import { CLICK_ROWS, type ClickRow, type CommandRow, type Keys, SHORTCUT_ROWS, SUBMISSION_ROWS } from './rows.ts';
import { CARD_TS, ROOT_TS } from './runs.ts';

/** A request from Slack by a person; `team` is what Slack says of it in the request. */
export interface By {
  by: string;
  team?: string | null;
}

export interface Sent {
  kind: KnownKind;
  payload: object;
}

export function click(actionId: ActionId, keys: Keys, { by, team = TEAM, ts = CARD_TS }: By & { ts?: string }): Sent {
  const { value, metadata }: ClickRow = CLICK_ROWS[actionId];
  const message = { channel: CHANNEL, ts };
  const clicked = Object(clickPayload({ actionId, value: value(keys) }, { by, team, message }));
  const { message: _, channel: __, container: ___, ...inModal } = clicked;
  const view = metadata && { id: 'V1', hash: '1.x', callback_id: 'any', private_metadata: metadata(keys) };
  return { kind: 'block_actions', payload: view ? { ...inModal, view } : clicked };
}

export function submission(callbackId: SubmittedModal, keys: Keys, { by, team = TEAM }: By): Sent {
  const { metadata, values } = SUBMISSION_ROWS[callbackId];
  const submitted = submissionPayload({ callbackId, metadata: metadata(keys), values }, { by, team: team ?? '' });
  return { kind: 'view_submission', payload: Object(submitted) };
}

/** A shortcut on a reply in the thread of the run, or of no message. */
export function shortcut(callbackId: ShortcutId, { by, team = TEAM }: By): Sent {
  const { message: text } = SHORTCUT_ROWS[callbackId];
  const user = { id: by, name: by.toLowerCase(), ...(team !== null && { team_id: team }) };
  const chosen = { callback_id: callbackId, user, trigger_id: `1.2.${by}` };
  if (text === null) return { kind: 'shortcut', payload: chosen };
  const message = { ts: '200.1', thread_ts: ROOT_TS, text };
  return { kind: 'message_action', payload: { ...chosen, channel: { id: CHANNEL }, message } };
}

export function command({ text }: CommandRow, { by, team = TEAM }: By): Sent {
  const sent = { command: '/kickoff', text, channel_id: CHANNEL, user_id: by, trigger_id: `${by}.${text}` };
  return { kind: 'command', payload: { ...sent, ...(team !== null && { team_id: team }) } };
}
