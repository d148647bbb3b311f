import { z } from 'zod';
import { APPROVAL_TEXT, type Crew, commandWordIn, LANGUAGES, PLATFORMS } from '../core/policy/crew.ts';
import { NOTIFY } from '../core/policy/crew-rules.ts';
import { inputsNamedIn } from '../core/policy/in-force.ts';
import { type Approver, type CrewPolicy, stepsOf, WORKSPACE } from '../core/policy/policy.ts';
import { parseWorkingHours } from '../core/values/working-hours.ts';
import {
  APPROVAL_SETTING_NAMES,
  APPROVAL_SETTINGS,
  FIXED_APPROVERS,
  policyOf,
  STARTED_ELSEWHERE,
} from './approval-settings.ts';
import {
  CHANNEL,
  checkText,
  NOT_TEXT,
  parseText,
  text,
  whyNotHttpAddress,
  whyNotLink,
  withoutTrailingSlash,
  YES_NO,
} from './fields.ts';
import { INPUT_SETTINGS, kindsOfInputs } from './input-settings.ts';

// The settings of one crew in the crews file. `crews.ts` reads them.

export const CREW_NAME = text('is missing: the name that starts the crew in Slack')
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/i,
    'must consist of letters, digits, -, _ and . (at most 64, not starting with . - _)',
  )
  .refine((name) => commandWordIn(name) === null, 'means something else after the slash command');

const PREVIEW_RULE = 'must be a whole number of characters from 200 to 3000';

/** A card has no room for more characters beside all else. */
const PREVIEW_LENGTH = z.int(PREVIEW_RULE).min(200, PREVIEW_RULE).max(3_000, PREVIEW_RULE);

const DESCRIPTION = z
  .string(NOT_TEXT)
  .trim()
  .regex(/^[^\r\n\u2028\u2029]{1,150}$/u, 'must be one line of at most 150 characters');

const HOURS_RULE = 'must be days, hours of one day and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin';

const HOURS = parseText(HOURS_RULE, (written) => parseWorkingHours(written) ?? undefined);

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
const LONGEST_LINK = 3_000;

const LINK = z
  .string(NOT_TEXT)
  .max(LONGEST_LINK, `is longer than ${LONGEST_LINK} characters`)
  .check(checkText(whyNotLink));

const HOSTS_RULE = 'must be a list of hosts such as [app.crewai.com, "ci.example.com:8443"]';

/** A host as in an address: in lower case, with the port unless it is the default. */
const HOST = z.string(HOSTS_RULE).transform((written, context): string => {
  if (/^[a-z0-9.-]+(:[0-9]{1,5})?$/i.test(written) && URL.canParse(`https://${written}`))
    return new URL(`https://${written}`).host;
  context.issues.push({ code: 'custom', message: `${written} is no host, such as app.crewai.com`, input: written });
  return z.NEVER;
});

const FLOW_SECRET_RULE = 'must be the secret of the webhook in the control panel, or a list of two while it changes';

const FLOW_SECRETS = z.preprocess(
  (written) => (typeof written === 'string' ? [written] : written),
  z
    .array(
      z
        .string(FLOW_SECRET_RULE)
        .min(16, 'is shorter than the secret of any webhook')
        .regex(/^[\x21-\x7e]*$/, 'has a space or another character that no secret has'),
      FLOW_SECRET_RULE,
    )
    .min(1, FLOW_SECRET_RULE)
    .max(2, FLOW_SECRET_RULE)
    .optional(),
);

export const CREW_SETTINGS = z
  .strictObject(
    {
      name: CREW_NAME,
      base_url: text("is empty: leave it out, and token, for a crew that isn't deployed")
        .check(checkText(whyNotHttpAddress))
        .transform(withoutTrailingSlash)
        .optional(),
      control_url: LINK.optional(),
      token: text("is empty: leave it out, and base_url, for a crew that isn't deployed")
        .min(1, 'is empty')
        .regex(/^[\x21-\x7e]*$/, 'has a space or another character that no token has')
        .optional(),
      platform: z
        .enum(PLATFORMS, `must be ${PLATFORMS.join(' or ')}, or left out for the interface of the specification`)
        .optional(),
      asked_by: DESCRIPTION.optional(),
      channel: CHANNEL.nullish(),
      description: DESCRIPTION.optional(),
      approval_text: text('must be text').min(1, 'is empty: leave it out for the default text').optional(),
      approval_notes: YES_NO.optional(),
      approval: APPROVAL_SETTINGS.optional(),
      starters: FIXED_APPROVERS.optional(),
      workflows: YES_NO.optional(),
      /** This setting may stand in `approval` instead, beside `self_approval`; here, as `refuse` is about more than who decides. */
      started_elsewhere: STARTED_ELSEWHERE.optional(),
      require_user_token: YES_NO.optional(),
      retry_503: YES_NO.optional(),
      callback_hosts: z.array(HOST, HOSTS_RULE).optional(),
      flow_secret: FLOW_SECRETS,
      hours: HOURS.optional(),
      preview: PREVIEW_LENGTH.optional(),
      notify: z.enum(NOTIFY, 'must be mention, channel, dm or none').optional(),
      notify_starter: YES_NO.optional(),
      broadcast: YES_NO.optional(),
      language: z.enum(LANGUAGES, `must be ${LANGUAGES.join(' or ')}`).optional(),
      inputs: z.record(z.string(), INPUT_SETTINGS, { error: 'must be a map of input names' }).nullish(),
    },
    { error: 'must be a map: name, base_url, token' },
  )
  .transform(({ approval = {}, ...crew }): Crew => {
    const startedElsewhere = approval.started_elsewhere ?? crew.started_elsewhere ?? [];
    const isRefused = startedElsewhere === 'refuse';
    const starters = crew.starters ?? [WORKSPACE];
    const policy = policyOf(approval, {
      startedElsewhere: isRefused ? [] : startedElsewhere,
      inputs: kindsOfInputs(crew),
      timeZone: crew.hours?.timeZone ?? 'UTC',
    });
    return {
      name: crew.name,
      description: crew.description ?? null,
      baseUrl: crew.base_url ?? null,
      controlUrl: crew.control_url ?? (crew.base_url === undefined ? null : new URL(crew.base_url).origin),
      token: crew.token ?? null,
      platform: crew.platform ?? null,
      askedBy: crew.asked_by ?? crew.name,
      channel: crew.channel ?? null,
      approvalText: crew.approval_text ?? APPROVAL_TEXT,
      // Some read any other text than a bare approval as a rejection.
      approvalNotes: crew.approval_notes ?? crew.platform !== 'amp',
      approval: policy,
      startedElsewhere: isRefused ? 'refused' : 'followed',
      starters,
      workflows: (crew.workflows ?? takesAnyStarter(starters, policy)) ? 'allowed' : 'refused',
      requireUserToken: crew.require_user_token ?? false,
      retry503: crew.retry_503 ?? false,
      callbackHosts: crew.callback_hosts ?? [],
      flowSecrets: crew.flow_secret ?? [],
      hours: crew.hours ?? null,
      preview: crew.preview ?? null,
      notify: crew.notify ?? 'mention',
      notifyStarter: crew.notify_starter ?? true,
      broadcast: crew.broadcast ?? true,
      language: crew.language ?? 'en',
      inputs: crew.inputs ?? {},
    };
  });

/** Returns true if no rule depends on the starter. An input that names an approver does, since it must not name the starter. */
function takesAnyStarter(starters: readonly Approver[], policy: CrewPolicy): boolean {
  if (!starters.some(({ kind }) => kind === 'workspace')) return false;
  const levels = [policy, ...policy.tasks];
  if (levels.some((level) => inputsNamedIn(level).length > 0)) return false;
  const conditions = levels.flatMap(({ when }) => when);
  if (conditions.some(({ condition }) => /\bstarter\b/.test(condition.text))) return false;
  return [...levels, ...conditions].flatMap(stepsOf).every(({ selfApproval }) => selfApproval);
}

/** All names of settings in a crews file, for suggestions. */
export const SETTING_NAMES = [
  'crews',
  ...Object.keys(CREW_SETTINGS.in.shape),
  ...Object.keys(INPUT_SETTINGS.in.shape),
  ...APPROVAL_SETTING_NAMES,
];
