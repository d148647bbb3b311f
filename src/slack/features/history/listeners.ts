// Listeners for *History* and *Copy reference* in the menu of a run, for people who can see its channel.
import type { ModalView } from '@slack/types';
import { type Execution, threadTsOf } from '../../../core/state/execution.ts';
import { permalink } from '../../api/identity.ts';
import { nonMembersOf } from '../../directory/directory.ts';
import type { Say } from '../../language/say.ts';
import { answerClick, showModal } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, RunEntries, ViewListener } from '../../listening/context.ts';
import { modalAsSeen, updateModal } from '../../listening/modals.ts';
import { parseRef } from '../../ui/button-value.ts';
import { historyModal, referenceModal, type StoryKey, storyKey, storyPage } from './modal.ts';
import { runOf } from './story.ts';

export const onHistory: ActionListener = opener('history.title', (_, { key, run, say }) => historyModal(key, run, say));

export const onCopyReference: ActionListener = opener('reference.title', (context, { click, key, run, say }) => {
  const kickoffId = run.execution?.kickoffIds[0] ?? null;
  return referenceModal({ ref: key.ref, kickoffId, link: linkTo(context, click, run) }, say);
});

interface Opened {
  click: Click;
  key: StoryKey;
  run: FoundRun;
  say: Say;
}

/** Returns a listener that opens a modal about a run, for people who see its channel. */
function opener(
  title: 'history.title' | 'reference.title',
  modalOf: (context: ListenerContext, opened: Opened) => ModalView,
): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    // People who click a message see it.
    const key = { ref: parseRef(click.value) ?? click.value, seenIn: click.message?.channel ?? null };
    const run = await findRun(context, key.ref);
    await ack();
    const say = await context.say();
    if (!(await canSee(context, click, { run, key, title: say(title) }))) return;
    await showModal(context, click, modalOf(context, { click, key, run, say }));
  };
}

export const onTurnHistory: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { view, value } = click;
  const key = storyKey.read(view?.private_metadata);
  const run = key && (await findRun(context, key.ref));
  await ack();
  const say = await context.say();
  if (!view || !run || !(await canSee(context, click, { run, key, title: say('history.title') }))) return;
  const turned = historyModal(key, { ...run, page: storyPage.read(value)?.page ?? 0 }, say);
  await updateModal(context, modalAsSeen(view), turned);
};

/** Closes the form, which has nothing to submit: people only copy from its fields. */
export const onReferenceDone: ViewListener = ({ ack }) => ack();

/** A run as far as it is still stored. Its entries outlive the execution. */
interface FoundRun extends RunEntries {
  execution: Execution | null;
  /** Null if nothing says any more which channel it was. */
  channel: string | null;
}

/** Throws `StoreUnavailable`: don't ack then. */
async function findRun({ store, runEntries, latestChannel }: ListenerContext, ref: string): Promise<FoundRun> {
  const [record, ledger] = await Promise.all([store.load(ref), runEntries(ref)]);
  const execution = record?.execution ?? null;
  const channel = execution?.channel ?? runOf(ledger.entries)?.channel ?? null;
  return { execution, ...ledger, channel: channel === null ? null : await latestChannel(channel) };
}

/**
 * Returns true if a person sees the channel of a run: they have clicked in it, or Slack says that they are in it. Otherwise tells them
 * that it is closed to them. The value of a button proves nothing, but Slack says where it was clicked.
 */
async function canSee(
  context: ListenerContext,
  click: Click,
  { run, key: { seenIn }, title }: { run: FoundRun; key: StoryKey; title: string },
): Promise<boolean> {
  const { execution, entries, channel } = run;
  if (channel !== null && seenIn === channel) return true;
  const say = await context.say();
  const refuse = async (text: string) => {
    await answerClick(context, click, { title, text });
    return false;
  };
  if (execution === null && entries.length === 0) return refuse(say('history.gone'));
  const outside = channel === null ? null : await nonMembersOf(context.directory, [context.person.id], channel);
  if (outside === null) return refuse(say('history.unsure'));
  return outside.length === 0 || refuse(say('history.closed'));
}

function linkTo({ identity }: ListenerContext, { message }: Click, { execution }: FoundRun): string | null {
  const ts = execution && threadTsOf(execution);
  if (execution && ts) return permalink(identity, execution.channel, ts, null);
  return message && permalink(identity, message.channel, message.threadTs ?? message.ts, null);
}
