import type { InputBlock, InputBlockElement, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type { Away, PersonSettings } from '../../core/inbox/person-settings.ts';
import { dateOf, localDay } from '../../core/local-time.ts';
import type { Millis } from '../../core/time.ts';
import type { Say } from '../language/say.ts';
import { button, buttons, context, plain, section } from '../ui/blocks.ts';
import { modal } from '../ui/modal.ts';
import type { NameOf } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { lastMoment } from '../ui/text/moment.ts';
import { clockText } from './clock-text.ts';
import { awayText } from './settings-line.ts';

/** The blocks of the form, where errors are shown, too. */
export const TELL = 'tell';
export const DAILY_AT = 'daily_at';
export const QUIET_FROM = 'quiet_from';
export const QUIET_TO = 'quiet_to';
export const AWAY_UNTIL = 'away_until';
export const STAND_IN = 'stand_in';

const USUAL_TIME = 9 * 60;

interface Shown {
  settings: PersonSettings;
  now: Millis;
  /** The zone of the times; null if Slack can't say which one the person is in, and they are in UTC. */
  timeZone: string | null;
  name: NameOf;
  say: Say;
}

/** How a person is told of what waits for them, and who stands in while they are away. */
export function settingsModal(shown: Shown): ModalView {
  const { settings, now, timeZone, say } = shown;
  const { tell, quiet } = settings;
  const away = settings.away && now < settings.away.until ? settings.away : null;
  const zone = timeZone === null ? say('settings.no-zone') : say('settings.zone', { zone: escapedLine(timeZone, 60) });
  return modal({
    callbackId: 'home_settings',
    title: say('settings.title'),
    submit: say('settings.save'),
    close: say('modal.cancel'),
    blocks: [
      ...(away ? awayBlocks(away, shown) : []),
      input(TELL, { label: say('settings.tell'), element: tellRadio(tell, say) }),
      input(DAILY_AT, {
        label: say('settings.daily-at'),
        element: timePicker(tell.kind === 'daily' ? tell.at : USUAL_TIME),
      }),
      optional(QUIET_FROM, { label: say('settings.quiet-from'), element: timePicker(quiet?.from) }),
      optional(QUIET_TO, {
        label: say('settings.quiet-to'),
        element: timePicker(quiet?.to),
        hint: say('settings.quiet-hint'),
      }),
      optional(AWAY_UNTIL, {
        label: say('settings.away-until'),
        element: datePicker(away, timeZone ?? 'UTC'),
        hint: say('settings.away-hint'),
      }),
      optional(STAND_IN, {
        label: say('settings.stand-in'),
        element: personSelect(away, say),
        hint: say('settings.stand-in-hint'),
      }),
      context(zone),
    ],
  });
}

function awayBlocks(away: Away, words: { name: NameOf; say: Say }): KnownBlock[] {
  const { say } = words;
  return [section(awayText(away, words)), ...buttons(button('home_back', say('settings.back'), { value: 'home' }))];
}

interface Field {
  label: string;
  element: InputBlockElement;
  hint?: string;
}

function input(blockId: string, { label, element, hint }: Field): InputBlock {
  return { type: 'input', block_id: blockId, label: plain(label), element, ...(hint && { hint: plain(hint) }) };
}

function optional(blockId: string, field: Field): InputBlock {
  return { ...input(blockId, field), optional: true };
}

function tellRadio(tell: PersonSettings['tell'], say: Say): InputBlockElement {
  const options = (['off', 'at-once', 'hourly', 'daily'] as const).map(
    (kind): PlainTextOption => ({ text: plain(say(`settings.tell-${kind}`)), value: kind }),
  );
  const initial = options.find(({ value }) => value === tell.kind);
  return { type: 'radio_buttons', action_id: 'input', options, ...(initial && { initial_option: initial }) };
}

function timePicker(minutes: number | undefined): InputBlockElement {
  return { type: 'timepicker', action_id: 'input', ...(minutes !== undefined && { initial_time: clockText(minutes) }) };
}

function datePicker(away: Away | null, timeZone: string): InputBlockElement {
  const initial = away && dateOf(localDay(lastMoment(away.until), timeZone));
  return { type: 'datepicker', action_id: 'input', ...(initial !== null && { initial_date: initial }) };
}

function personSelect(away: Away | null, say: Say): InputBlockElement {
  const placeholder = plain(say('hand-over.choose'));
  const initial = away?.standIn?.id;
  return {
    type: 'users_select',
    action_id: 'input',
    placeholder,
    ...(initial !== undefined && { initial_user: initial }),
  };
}
