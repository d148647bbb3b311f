import type { ViewOutput } from '@slack/bolt';
import type { Person } from '../../core/approval/approval.ts';
import type { PersonSettings } from '../../core/inbox/person-settings.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import { showModal } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ActionListener, ViewListener } from '../interaction/listeners.ts';
import { updateModal } from '../interaction/modals.ts';
import { answerModal } from '../ui/answer-modal.ts';
import { canBeTold } from './can-be-told.ts';
import { findStandIn } from './find-stand-in.ts';
import { mergeSettings } from './merge-settings.ts';
import { type Chosen, type FormErrors, readSettings } from './read-settings.ts';
import { savedModal } from './saved-modal.ts';
import { STAND_IN, settingsModal, TELL } from './settings-modal.ts';

export const onHomeSettings: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  await ack();
  const { person } = context;
  const [settings, timeZone, say] = await Promise.all([
    context.personSettings.find(person.id),
    context.people.timeZoneOf(person.id),
    context.say(),
  ]);
  const name = await context.namesOf(settings.away?.standIn);
  await showModal(context, click, settingsModal({ settings, now: Date.now(), timeZone, name, say }));
};

/** Nothing is stored as long as anything is wrong. */
export const onSettingsSaved: ViewListener = async ({ ack, context, view }) => {
  const { person } = context;
  const before = await context.personSettings.find(person.id);
  const chosen = await findChosen(context, view, before);
  if (!chosen.ok) return ack({ response_action: 'errors', errors: chosen.refusal });
  const settings = await context.personSettings.change(person.id, (each, now) =>
    mergeSettings(each, chosen.value, now),
  );
  context.addToLog({ by: person.id });
  context.home.showAgain(person.id);
  const mustApply = before.away !== null || settings.away !== null;
  await ack({ response_action: 'update', view: await savedModal(context, settings, null) });
  if (!mustApply) return;
  const report = await context.absences.apply(person.id);
  if (report.standIn) await updateModal(context, { viewId: view.id }, await savedModal(context, settings, report));
};

/** Ends an absence before its time. */
export const onBack: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { person } = context;
  await context.personSettings.change(person.id, (settings) => ({ ...settings, away: null }));
  context.addToLog({ by: person.id });
  context.home.showAgain(person.id);
  await ack();
  await context.absences.apply(person.id);
  const say = await context.say();
  const view = answerModal(say, { title: say('settings.title'), text: say('settings.welcome-back') });
  if (click.view) await updateModal(context, { viewId: click.view.id }, view);
  else await showModal(context, click, view);
};

async function findChosen(
  context: ListenerContext,
  view: ViewOutput,
  before: PersonSettings,
): Promise<Result<Chosen & { standIn: Person | null }, FormErrors>> {
  const { person } = context;
  const [timeZone, say] = await Promise.all([context.people.timeZoneOf(person.id), context.say()]);
  const read = readSettings(view.state.values, { now: Date.now(), timeZone, say });
  if (!read.ok) return read;
  const standInId = read.value.away?.standInId ?? null;
  const standIn = standInId === null ? ok(null) : await findStandIn(context, { standInId, by: person, say });
  if (!standIn.ok) return refuse({ [STAND_IN]: standIn.refusal });
  const isNew = before.tell.kind === 'off' && read.value.tell.kind !== 'off';
  if (isNew && !(await canBeTold(context, person.id, say))) return refuse({ [TELL]: say('settings.no-messages') });
  return ok({ ...read.value, standIn: standIn.value });
}
