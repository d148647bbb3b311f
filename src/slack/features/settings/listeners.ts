import type { ViewOutput } from '@slack/bolt';
import type { PersonSettings } from '../../../core/inbox/person-settings.ts';
import type { Account } from '../../../core/policy/permits.ts';
import type { Person } from '../../../core/state/request.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import type { Millis } from '../../../core/values/time.ts';
import { callFailureOf } from '../../api/errors.ts';
import { postInChannel } from '../../api/posts.ts';
import { soon } from '../../api/soon.ts';
import type { Say } from '../../language/say.ts';
import { showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { updateModal } from '../../listening/modals.ts';
import { answerMessage, answerModal } from '../../ui/modal.ts';
import { cutLine } from '../../ui/text/escape.ts';
import { type Chosen, type FormErrors, readSettings, STAND_IN, savedModal, settingsModal, TELL } from './modal.ts';

// Listeners of the settings that people open on Home.

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

/** Stores the settings if everything in the form is right. */
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
  const isFirst = before.tell.kind === 'off' && read.value.tell.kind !== 'off';
  if (isFirst && !(await canMessage(context, person.id, say))) return refuse({ [TELL]: say('settings.no-messages') });
  return ok({ ...read.value, standIn: standIn.value });
}

/** The form has to be answered within three seconds. */
const MOST_MS = 1_200;

/** Sends a first direct message. Returns false if Slack refuses it. Never throws. */
async function canMessage(
  { client, log }: Pick<ListenerContext, 'client' | 'log'>,
  personId: string,
  say: Say,
): Promise<boolean> {
  const isSent = postInChannel(client, personId, answerMessage(say('settings.first-message'))).then(
    () => true,
    (error: unknown) => {
      log.warn({ personId, err: error }, 'could not send a person the first direct message');
      return callFailureOf(error).kind !== 'refused';
    },
  );
  return soon(MOST_MS, isSent, true);
}

/** Returns the person who is to stand in, or why they can't; plain text. */
export async function findStandIn(
  { directory, people }: Pick<ListenerContext, 'directory' | 'people'>,
  { standInId, by, say }: { standInId: string; by: Person; say: Say },
): Promise<Result<Person, string>> {
  const account = await directory.account(standInId);
  const standIn = { id: standInId, name: await people.nameOf({ id: standInId, name: standInId }) };
  const who = cutLine(standIn.name, 80);
  const problem = account ? problemWith(account, by) : 'settings.stand-in-unsure';
  return problem === null ? ok(standIn) : refuse(say(problem, { who }));
}

/** Returns why a person can't stand in. Guests and people from outside decide only what names them, which hand-overs don't. */
function problemWith(account: Account, by: Person) {
  if (account.identities.includes(by.id)) return 'settings.stand-in-yourself';
  if (account.isBot) return 'settings.stand-in-bot';
  if (account.isDeactivated) return 'settings.stand-in-deactivated';
  if (account.isStranger) return 'settings.stand-in-stranger';
  return account.isGuest ? 'settings.stand-in-guest' : null;
}

/** Returns a person's settings after their choice. An unchanged absence keeps its `since`. */
export function mergeSettings(
  before: PersonSettings,
  { tell, hearsEndings, away, standIn }: Chosen & { standIn: Person | null },
  now: Millis,
): PersonSettings {
  const isSame = before.away?.until === away?.until && before.away?.standIn?.id === standIn?.id;
  const since = isSame ? before.away?.since : undefined;
  return { tell, hearsEndings, away: away && { until: away.until, standIn, since: since ?? now } };
}
