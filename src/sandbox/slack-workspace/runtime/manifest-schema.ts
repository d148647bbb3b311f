import { z } from 'zod';

const text = (most: number, least = 1) => z.string().min(least).max(most);
const url = (most: number) =>
  z
    .string()
    .regex(/^https?:\/\//, 'must begin with http:// or https://')
    .max(most);
const flag = z.boolean().optional();
const names = (most: number) => z.array(text(50)).max(most).optional();
/** Fields without effect in this workspace, which aren't checked. */
const anything = z.unknown().optional();

/** https://docs.slack.dev/reference/app-manifest#features */
const FEATURES = z.strictObject({
  app_home: z
    .strictObject({ home_tab_enabled: flag, messages_tab_enabled: flag, messages_tab_read_only_enabled: flag })
    .optional(),
  bot_user: z.strictObject({ display_name: text(80), always_online: flag }).optional(),
  shortcuts: z
    .array(
      z.strictObject({
        name: text(24),
        type: z.enum(['message', 'global']),
        callback_id: text(255),
        description: text(150),
      }),
    )
    .min(1)
    .max(10)
    .optional(),
  slash_commands: z
    .array(
      z.strictObject({
        command: text(32, 2).startsWith('/'),
        url: url(3000).optional(),
        description: text(2000),
        usage_hint: text(1000).optional(),
        should_escape: flag,
      }),
    )
    .min(1)
    .max(50)
    .optional(),
  agent_view: anything,
  assistant_view: anything,
  functions: anything,
  rich_previews: anything,
  search: anything,
  unfurl_domains: anything,
  workflow_steps: anything,
});

/** https://docs.slack.dev/reference/app-manifest#settings */
const SETTINGS = z.strictObject({
  event_subscriptions: z
    .strictObject({
      request_url: url(3500).optional(),
      bot_events: names(100),
      user_events: names(100),
      metadata_subscriptions: z
        .array(
          z
            .strictObject({ app_id: text(50), event_type: text(50) })
            // https://docs.slack.dev/messaging/message-metadata
            .refine(({ app_id, event_type }) => app_id !== '*' || event_type !== '*', 'not both can be *'),
        )
        // https://docs.slack.dev/reference/app-manifest#settings; the published schema still allows 50.
        .max(20, 'An app has at most 20 metadata subscriptions.')
        .optional(),
    })
    .optional(),
  interactivity: z
    .strictObject({
      is_enabled: z.boolean(),
      request_url: url(3500).optional(),
      message_menu_options_url: url(3500).optional(),
    })
    .optional(),
  socket_mode_enabled: flag,
  org_deploy_enabled: flag,
  token_rotation_enabled: flag,
  is_hosted: flag,
  is_mcp_enabled: flag,
  allowed_ip_address_ranges: anything,
  function_runtime: z.enum(['remote', 'slack']).optional(),
  hermes_app_type: anything,
  incoming_webhooks: anything,
  siws_links: anything,
});

/** https://docs.slack.dev/reference/app-manifest#functions */
const PARAMETERS = z.record(
  text(255),
  z.strictObject({
    type: text(255),
    title: text(255).optional(),
    description: text(1000).optional(),
    is_required: flag,
    hint: text(255).optional(),
    name: text(255).optional(),
  }),
);

export type Parameters = z.infer<typeof PARAMETERS>;

const FUNCTION = z.strictObject({
  title: text(255),
  description: text(1000),
  input_parameters: PARAMETERS,
  output_parameters: PARAMETERS,
});

/**
 * The fields and limits of https://docs.slack.dev/reference/app-manifest, as Slack publishes them in
 * https://github.com/slackapi/manifest-schema: fields that it doesn't list are refused.
 */
export const MANIFEST = z.strictObject({
  $schema: anything,
  _metadata: anything,
  display_information: z.strictObject({
    name: text(35),
    description: text(140).optional(),
    long_description: text(4000, 175).optional(),
    background_color: z
      .string()
      .regex(/^#([0-9a-f]{3}){1,2}$/i, 'must be a colour such as #1f3b4d')
      .optional(),
  }),
  features: FEATURES.default({}),
  oauth_config: z
    .strictObject({
      redirect_urls: anything,
      scopes: z
        .strictObject({ bot: names(255), bot_optional: names(255), user: names(255), user_optional: names(255) })
        .default({}),
      token_management_enabled: flag,
      pkce_enabled: flag,
    })
    .default({ scopes: {} }),
  settings: SETTINGS.default({}),
  app_directory: anything,
  datastores: anything,
  external_auth_providers: anything,
  functions: z.record(text(100), FUNCTION).optional(),
  mcp_servers: anything,
  outgoing_domains: anything,
  types: anything,
  workflows: anything,
});

export type Manifest = z.infer<typeof MANIFEST>;

/**
 * The types of events that an app can subscribe to: those in the types of `@slack/web-api` (manifest) and `@slack/types`.
 * https://docs.slack.dev/reference/events
 */
export const EVENT_TYPES: ReadonlySet<string> = new Set(
  `
    agent_session_stopped agent_session_title_changed app_context_changed app_deleted app_home_opened
    app_installed app_mention app_rate_limited app_requested app_uninstalled app_uninstalled_team
    assistant_thread_context_changed assistant_thread_started call_rejected channel_archive channel_created
    channel_deleted channel_history_changed channel_id_changed channel_left channel_rename channel_shared
    channel_unarchive channel_unshared dnd_updated dnd_updated_user email_domain_changed emoji_changed
    entity_details_requested file_change file_comment_added file_comment_deleted file_comment_edited file_created
    file_deleted file_public file_shared file_unshared function_executed grid_migration_finished
    grid_migration_started group_archive group_close group_deleted group_history_changed group_left group_open
    group_rename group_unarchive im_close im_created im_history_changed im_open invite_requested link_shared
    member_joined_channel member_left_channel message message.app_home message.channels message.groups message.im
    message.mpim message_metadata_deleted message_metadata_posted message_metadata_updated pin_added pin_removed
    reaction_added reaction_removed resources_added resources_removed scope_denied scope_granted
    shared_channel_invite_accepted shared_channel_invite_approved shared_channel_invite_declined
    shared_channel_invite_received shared_channel_invite_requested star_added star_removed subteam_created
    subteam_members_changed subteam_self_added subteam_self_removed subteam_updated team_access_granted
    team_access_revoked team_domain_change team_join team_rename tokens_revoked user_change user_huddle_changed
    user_profile_changed user_resource_denied user_resource_granted user_resource_removed user_status_changed
    workflow_deleted workflow_published workflow_step_deleted workflow_step_execute workflow_unpublished
  `
    .trim()
    .split(/\s+/),
);

/**
 * The scope without which Slack refuses a manifest that subscribes to an event. It says so of direct messages
 * (https://github.com/derive-to/derive/pull/558) and of mentions (https://github.com/gastownhall/gascity-packs/issues/63,
 * https://github.com/nanocoai/nanoclaw/pull/3423), and names the scopes of the others in
 * https://docs.slack.dev/reference/events and https://docs.slack.dev/reference/scopes/metadata.message.read.
 */
export const SCOPE_OF_EVENT = {
  app_mention: 'app_mentions:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  message_metadata_deleted: 'metadata.message:read',
  message_metadata_posted: 'metadata.message:read',
  message_metadata_updated: 'metadata.message:read',
} as const;
