import type { Json } from '../../../src/core/values/json.ts';
import { MOST_KEPT, monotonicMs, type StubAnswer, type StubState } from './state.ts';

/** Slack's Web API, as far as bots like these use it. Every call succeeds, unless it breaks a rate limit that is on. */
export function answerSlack(state: StubState, method: string, body: string): StubAnswer {
  const at = monotonicMs();
  state.busyAt = at;
  state.calls[method] = (state.calls[method] ?? 0) + 1;
  const channel = field(body, 'channel');
  const waitS = state.limits?.refuse(method, channel, at) ?? null;
  if (waitS !== null) {
    state.refused += 1;
    return { status: 429, headers: { 'retry-after': String(waitS) }, body: { ok: false, error: 'ratelimited' } };
  }
  switch (method) {
    case 'chat.postMessage':
      return { body: { ok: true, channel, ...post(state, { channel, at, raw: body }) } };
    case 'chat.update': {
      const ts = field(body, 'ts');
      if (!state.updatedAt.has(ts)) state.updatedAt.set(ts, at);
      return { body: { ok: true, channel, ts, message: { ts } } };
    }
    case 'views.publish':
      state.published.push({ userId: field(body, 'user_id'), at });
      return { body: { ok: true, view: { id: 'V0BENCH', hash: `${state.published.length}.a` } } };
    default:
      return { headers: SCOPES, body: { ok: true, ...(ANSWERS[method] ?? aboutOne(method, body)) } };
  }
}

function post(state: StubState, { channel, at, raw }: { channel: string; at: number; raw: string }) {
  state.numbers += 1;
  state.posts += 1;
  const ts = `1700000000.${String(state.numbers).padStart(6, '0')}`;
  const draft = raw.includes(APPROVE_BUTTON) ? (/draft-\d+/.exec(raw)?.[0] ?? null) : null;
  if (draft !== null) state.cards += 1;
  if (state.posted.length < MOST_KEPT) state.posted.push({ channel, ts, at, raw, draft });
  const threadTs = field(raw, 'thread_ts');
  return { ts, message: { ts, ...(threadTs !== '' && { thread_ts: threadTs }) } };
}

const APPROVE_BUTTON = encodeURIComponent('"Approve"');

/** A short field of a form or of JSON, without decoding the rest. */
function field(body: string, name: string): string {
  const found = new RegExp(`(?:^|&)${name}=([^&]*)|"${name}":"([^"]*)"`).exec(body);
  return found?.[1] ?? found?.[2] ?? '';
}

/** What is said about the user whom the request names. */
function aboutOne(method: string, body: string): Record<string, Json> {
  if (method !== 'users.info') return {};
  const id = field(body, 'user');
  const name = NAMES[id] ?? id;
  const flags = { deleted: false, is_bot: false, is_restricted: false, is_ultra_restricted: false };
  const profile = { display_name: name, real_name: name, email: `${id.toLowerCase()}@example.com` };
  return { user: { id, team_id: TEAM, name: name.toLowerCase(), real_name: name, profile, ...flags } };
}

const SCOPES = {
  'x-oauth-scopes': 'commands,chat:write,files:write,users:read,channels:read,groups:read,usergroups:read',
};

const TEAM = 'T0SANDBOX1';

const NAMES: Record<string, string> = { UJON00002: 'Jon', UMARIA001: 'Maria' };

/** A group as large as that of a department, which works in the channel. */
const GROUP = [...Array.from({ length: 98 }, (_, i) => `U0COLLEAGUE${i}`), ...Object.keys(NAMES)];

const CHANNEL = { id: 'C0BENCH001', name: 'bench', is_channel: true, is_member: true };

const ANSWERS: Record<string, Record<string, Json>> = {
  'auth.test': {
    ...{ url: 'https://bench.slack.com/', team: 'Bench', user: 'signoff' },
    ...{ team_id: TEAM, user_id: 'U0SIGNOFF', bot_id: 'B0SIGNOFF' },
  },
  'conversations.info': { channel: { ...CHANNEL, is_private: false } },
  'conversations.list': { channels: [CHANNEL] },
  'conversations.members': { members: [...GROUP, 'U0NOBODY01', 'U0SIGNOFF'] },
  'usergroups.list': {
    usergroups: [{ id: 'S0DECIDERS', team_id: TEAM, handle: 'deciders', date_update: 1, date_delete: 0, users: GROUP }],
  },
  'chat.postEphemeral': { message_ts: '1700000001.000001' },
  'views.open': { view: { id: 'V0BENCH', hash: '1.a' } },
  'views.update': { view: { id: 'V0BENCH', hash: '1.a' } },
};
