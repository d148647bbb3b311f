import type { Shortcut, SlashCommand } from '../people-api.ts';

/** The app's manifest and credentials. https://docs.slack.dev/reference/app-manifest */
export type AppSettings = {
  appId: string;
  botId: string;
  botUserId: string;
  name: string;
  /** The bot's handle, as in `/invite @signoff`. */
  handle: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** The deprecated `token` of every payload. */
  verificationToken: string;
  scopes: string[];
  commands: AppCommand[];
  shortcuts: Shortcut[];
  /** `on` if clicks, submissions and shortcuts reach the app. */
  interactivity: 'on' | 'off';
  /** The types of metadata whose events it receives, each from one app or from all (`*`). */
  metadataSubscriptions: { appId: string; eventType: string }[];
  /** Its steps for workflows. */
  functions: AppFunction[];
  /** Bot events, e.g. `app_home_opened`, `message.channels`. */
  events: string[];
  homeTab: boolean;
  alwaysOnline: boolean;
  /** `on` if people have direct messages with the app and may write there. */
  messagesTab: 'on' | 'read-only' | 'off';
  /** True if it can be installed on a whole organisation. https://docs.slack.dev/reference/app-manifest#settings */
  isOrgReady: boolean;
  delivery: Delivery;
};

/** A custom step. https://docs.slack.dev/workflows/workflow-steps */
export type AppFunction = {
  callbackId: string;
  title: string;
  description: string;
  inputs: FunctionParameter[];
  outputs: FunctionParameter[];
};

/** `type` is `string`, `boolean`, `integer`, `number`, `array`, `object` or one of Slack's, such as `slack#/types/user_id`. */
export type FunctionParameter = {
  name: string;
  type: string;
  title: string;
  description: string;
  isRequired: boolean;
};

type AppCommand = SlashCommand & {
  /** True if people, channels and addresses in its text are escaped. */
  shouldEscape?: boolean;
  /** Its address over HTTP, if there is no URL for everything. */
  url?: string;
};

/** The address of Slack's deliveries: one request URL, one for each purpose, or the app's WebSocket connections. */
type Delivery =
  | { mode: 'http'; requestUrl: string | undefined; urls?: { events?: string; interactivity?: string } }
  | { mode: 'socket' };

export const DEFAULT_APP: AppSettings = {
  appId: 'A0SIGNOFF1',
  botId: 'B0SIGNOFF1',
  botUserId: 'U0SIGNOFF1',
  name: 'Signoff',
  handle: 'signoff',
  botToken: 'xoxb-sandbox-bot-token',
  appToken: 'xapp-1-sandbox-app-token',
  signingSecret: 'sandbox-signing-secret',
  verificationToken: 'sandbox-verification-token',
  scopes: ['commands', 'chat:write', 'files:write', 'users:read', 'usergroups:read', 'channels:read', 'groups:read'],
  commands: [{ command: '/kickoff', description: 'Start a crew', usageHint: '[crew]' }],
  shortcuts: [],
  metadataSubscriptions: [],
  functions: [],
  interactivity: 'on',
  events: ['app_home_opened'],
  homeTab: true,
  alwaysOnline: false,
  messagesTab: 'on',
  isOrgReady: false,
  delivery: { mode: 'http', requestUrl: undefined },
};
