import type { InputBlockElement, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type { AbsenceOutcome, AbsenceReport, Away, PersonSettings } from '../../../core/inbox/person-settings.ts';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import type { Millis } from '../../../core/values/time.ts';
import { dateOf, dayOf, instantOf, localDay } from '../../../core/values/working-hours.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { cardNames } from '../../request/card-state.ts';
import { takeOverText } from '../../request/denial.ts';
import { bulleted, button, buttons, context, plain, section } from '../../ui/blocks.ts';
import { type FormValues, tickedIn, typedText } from '../../ui/button-value.ts';
import { checkbox, input } from '../../ui/inputs.ts';
import { modal, modalOf } from '../../ui/modal.ts';
import { type NameOf, nameIn, type Words } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { lastMoment, slackDay } from '../../ui/text/moment.ts';
import { awayText, settingsLine } from './settings-line.ts';

// The window with a person's settings: direct messages, notices of endings, and absences.

/** The blocks of the form, where errors are shown. */
export const TELL = 'tell';
const ENDINGS = 'endings';
const AWAY_UNTIL = 'away_until';
export const STAND_IN = 'stand_in';

interface SettingsForm {
  settings: PersonSettings;
  now: Millis;
  /** The zone in which days end; null if Slack can't say which, so that UTC counts. */
  timeZone: string | null;
  name: NameOf;
  say: Say;
}

/** Renders how a person is notified of waiting requests, and who stands in while they are away. */
export function settingsModal(form: SettingsForm): ModalView {
  const { settings, now, timeZone, say } = form;
  const { tell, hearsEndings } = settings;
  const away = settings.away && now < settings.away.until ? settings.away : null;
  const zone = timeZone === null ? say('settings.no-zone') : say('settings.zone', { zone: escapedLine(timeZone, 60) });
  return modal(say, {
    callbackId: 'home_settings',
    title: say('settings.title'),
    submit: say('settings.save'),
    blocks: [
      ...(away ? awayBlocks(away, form) : []),
      input(TELL, { label: say('settings.tell'), element: notifyRadio(tell, say) }),
      input(ENDINGS, { optional: true, label: say('settings.endings'), element: endingsBox(hearsEndings, say) }),
      input(AWAY_UNTIL, {
        optional: true,
        label: say('settings.away-until'),
        element: datePicker(away, timeZone ?? 'UTC'),
        hint: say('settings.away-hint'),
      }),
      input(STAND_IN, {
        optional: true,
        label: say('settings.stand-in'),
        element: personSelect(away, say),
        hint: say('settings.stand-in-hint'),
      }),
      context(zone),
    ],
  });
}

function awayBlocks(away: Away, words: Words): KnownBlock[] {
  const { say } = words;
  return [section(awayText(away, words)), ...buttons(button('home_back', say('settings.back'), { value: 'home' }))];
}

function notifyRadio(tell: PersonSettings['tell'], say: Say): InputBlockElement {
  const options = (['off', 'at-once'] as const).map(
    (kind): PlainTextOption => ({ text: plain(say(`settings.tell-${kind}`)), value: kind }),
  );
  const initial = options.find(({ value }) => value === tell.kind);
  return { type: 'radio_buttons', action_id: 'input', options, ...(initial && { initial_option: initial }) };
}

function endingsBox(isTicked: boolean, say: Say): InputBlockElement {
  const option: PlainTextOption = { text: plain(say('settings.hears-endings')), value: HEARS_ENDINGS };
  return checkbox('input', option, isTicked);
}

const HEARS_ENDINGS = 'mention';

function datePicker(away: Away | null, timeZone: string): InputBlockElement {
  const initial = away && dateOf(localDay(lastMoment(away.until), timeZone));
  return { type: 'datepicker', action_id: 'input', ...(initial !== null && { initial_date: initial }) };
}

function personSelect(away: Away | null, say: Say): InputBlockElement {
  const initial = away?.standIn && { initial_user: away.standIn.id };
  return { type: 'users_select', action_id: 'input', placeholder: plain(say('hand-over.choose')), ...initial };
}

/** The submitted form, before anybody knows who the stand-in is. */
export interface Chosen {
  tell: PersonSettings['tell'];
  hearsEndings: boolean;
  away: { until: Millis; standInId: string | null } | null;
}

export type FormErrors = Record<string, string>;

/** @param timeZone null if Slack can't say which one the person is in */
export function readSettings(
  values: FormValues,
  { now, timeZone, say }: { now: Millis; timeZone: string | null; say: Say },
): Result<Chosen, FormErrors> {
  const errors: FormErrors = {};
  const tell = { kind: typedText(values, TELL) === 'at-once' ? ('at-once' as const) : ('off' as const) };
  const hearsEndings = tickedIn(values, ENDINGS).includes(HEARS_ENDINGS);
  const away = readAway(values, errors, { now, timeZone, say });
  return Object.keys(errors).length > 0 ? refuse(errors) : ok({ tell, hearsEndings, away });
}

function readAway(
  values: FormValues,
  errors: FormErrors,
  { now, timeZone, say }: { now: Millis; timeZone: string | null; say: Say },
): Chosen['away'] {
  const [date, standIn] = [typedText(values, AWAY_UNTIL), typedText(values, STAND_IN)];
  const day = dayOf(date);
  if (date === '' && standIn !== '') errors[AWAY_UNTIL] = say('settings.away-missing');
  if (date === '') return null;
  // Through the end of that day.
  const until = day === null || timeZone === null ? null : instantOf(day + 1, 0, timeZone);
  if (timeZone === null) errors[AWAY_UNTIL] = say('settings.away-no-zone');
  else if (until === null || until <= now) errors[AWAY_UNTIL] = say('settings.away-past');
  return until === null ? null : { until, standInId: standIn === '' ? null : standIn };
}

/**
 * Shows the stored settings in words.
 * @param report what became of the waiting requests; null while that isn't known, or if nobody stands in
 */
export async function savedModal(
  { say: sayOf, namesOf, personSettings }: Pick<ListenerContext, 'say' | 'namesOf' | 'personSettings'>,
  settings: PersonSettings,
  report: AbsenceReport | null,
): Promise<ModalView> {
  const standIn = settings.away?.standIn ?? null;
  const [say, name, theirs] = await Promise.all([
    sayOf(),
    namesOf(standIn),
    standIn && personSettings.find(standIn.id),
  ]);
  const now = Date.now();
  const line = settingsLine(settings, now, { name, say });
  const who = standIn ? nameIn(name, standIn) : '';
  const until = theirs?.away?.until ?? 0;
  return modalOf(say, {
    title: say('settings.title'),
    blocks: [
      section(say('settings.saved', { settings: line })),
      ...(report?.standIn ? reportBlocks(report, { who, say }) : []),
      ...(now < until ? [context(say('settings.away-too', { who, date: slackDay(lastMoment(until), say) }))] : []),
    ],
  });
}

const MOST_NAMED = 10;

const REPORTED = ['handed-over', 'anyway', 'refused', 'not-allowed', 'not-passed-on', 'open'] as const;

/** Says what was handed over to a stand-in and what wasn't, and why. `who` is their escaped name. */
export function reportBlocks({ items }: AbsenceReport, { who, say }: { who: string; say: Say }): KnownBlock[] {
  if (items.length === 0) return [section(say('settings.nothing-waits', { who }))];
  return REPORTED.flatMap((kind) => {
    const lines = items
      .filter(({ outcome }) => outcome.kind === kind)
      .map(({ request, outcome }) => lineOf(request, outcome, { who, say }));
    const more = lines.length - MOST_NAMED;
    const bullets = [...lines.slice(0, MOST_NAMED), ...(more > 0 ? [say('run.more-inputs', { count: more })] : [])];
    return lines.length === 0
      ? []
      : [section([`*${say(`settings.${kind}`, { who })}*`, ...bulleted(bullets)].join('\n'))];
  });
}

function lineOf(
  { run: { crew }, taskName, round }: OpenRequest,
  outcome: AbsenceOutcome,
  { who, say }: { who: string; say: Say },
): string {
  const names = cardNames({ crew, taskName, round }, say);
  return outcome.kind === 'refused' ? `${names}: ${takeOverText(outcome.denial, { who, say })}` : names;
}
