import { z } from 'zod';
import { WORKSPACE } from '../core/approval/policy/approver.ts';
import { APPROVAL_TEXT, type Crew, PREVIEW } from '../core/crew.ts';
import { APPROVAL_SETTING_NAMES, APPROVAL_SETTINGS, policyOf } from './approval-settings.ts';
import { APPROVERS, STARTED_ELSEWHERE } from './approver-settings.ts';
import { DESCRIPTION, LANGUAGE, NOTIFY_SETTING, PREVIEW_LENGTH } from './card-settings.ts';
import { CHANNEL } from './channel.ts';
import { CREW_NAME } from './crew-name.ts';
import { HOURS } from './hours-setting.ts';
import { whyNotHttpAddress, withoutTrailingSlash } from './http-address.ts';
import { INPUT_SETTINGS } from './input-settings.ts';
import { text } from './text.ts';

const YES_NO = z.boolean({ error: 'must be true or false' });

/** An entry of the crews file. */
export const CREW_SETTINGS = z
  .strictObject(
    {
      name: CREW_NAME,
      base_url: text('is missing: the address of the deployed crew, from its page in the control panel')
        .check((context) => {
          const message = whyNotHttpAddress(context.value);
          if (message) context.issues.push({ code: 'custom', message, input: context.value });
        })
        .transform(withoutTrailingSlash),
      token: text('is missing: the bearer token of the crew, from its page in the control panel')
        .min(1, 'is empty')
        .regex(/^[\x21-\x7e]*$/, 'has a space or another character that no token has'),
      channel: CHANNEL.nullish(),
      description: DESCRIPTION.optional(),
      approval_text: text('must be text').min(1, 'is empty: leave it out for the default text').optional(),
      approval_notes: YES_NO.optional(),
      approval: APPROVAL_SETTINGS.optional(),
      starters: APPROVERS.optional(),
      /** Also in `approval`, beside `self_approval`; here, since `refuse` is about more than who decides. */
      started_elsewhere: STARTED_ELSEWHERE.optional(),
      require_user_token: YES_NO.optional(),
      retry_503: YES_NO.optional(),
      hours: HOURS.optional(),
      preview: PREVIEW_LENGTH.optional(),
      notify: NOTIFY_SETTING.optional(),
      language: LANGUAGE.optional(),
      inputs: z.record(z.string(), INPUT_SETTINGS, { error: 'must be a map of input names' }).nullish(),
    },
    { error: 'must be a map: name, base_url, token' },
  )
  .transform(({ approval = {}, ...crew }): Crew => {
    const startedElsewhere = approval.started_elsewhere ?? crew.started_elsewhere ?? [];
    const isRefused = startedElsewhere === 'refuse';
    return {
      name: crew.name,
      description: crew.description ?? null,
      baseUrl: crew.base_url,
      token: crew.token,
      channel: crew.channel ?? null,
      approvalText: crew.approval_text ?? APPROVAL_TEXT,
      approvalNotes: crew.approval_notes ?? true,
      approval: policyOf(approval, isRefused ? [] : startedElsewhere),
      startedElsewhere: isRefused ? 'refused' : 'followed',
      starters: crew.starters ?? [WORKSPACE],
      requireUserToken: crew.require_user_token ?? false,
      retry503: crew.retry_503 ?? false,
      hours: crew.hours ?? null,
      preview: crew.preview ?? PREVIEW,
      notify: crew.notify ?? 'mention',
      language: crew.language ?? 'en',
      inputs: crew.inputs ?? {},
    };
  });

/** All names of settings in a crews file, to suggest one for a typo. */
export const SETTING_NAMES = [
  ...['crews', 'name', 'base_url', 'token', 'channel', 'approval_text', 'approval_notes', 'inputs'],
  ...['label', 'type', 'options', 'default', 'help', 'min', 'max'],
  ...['approval', 'starters', 'require_user_token', 'retry_503', 'hours', ...APPROVAL_SETTING_NAMES],
  ...['description', 'preview', 'notify', 'language'],
];
