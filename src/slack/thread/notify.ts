import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Execution } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import type { Identity } from '../api/identity.ts';
import { permalink } from '../api/identity.ts';
import { postInChannel } from '../api/post-in-channel.ts';
import { postPrivately } from '../api/post-privately.ts';
import type { People } from '../api/users.ts';
import { updateModal } from '../interaction/modals.ts';
import type { FormPorts } from '../kickoff/form-view.ts';
import { startedModal } from '../kickoff/progress-modals.ts';
import { startTroubleView, troubleOf } from '../kickoff/start-trouble-view.ts';
import { kickoffTroubleMessage } from '../kickoff/trouble.ts';
import { type Say, sayIn } from '../language/say.ts';
import type { KickoffTrouble } from '../run/kickoff-trouble-text.ts';
import type { Rendered } from '../ui/blocks.ts';

/** Tells the starter how the kickoff went: in the form if it is still open, otherwise privately. */
export interface Notifier {
  /** Never throws. */
  notify(execution: Execution): Promise<'told' | 'later'>;
}

interface NotifierPorts extends FormPorts {
  client: WebClient;
  identity: Identity;
  people: People;
  log: Logger;
}

type Started = Exclude<Execution['origin'], { kind: 'elsewhere' }>;

/** Nobody waits for it. */
const PATIENCE_MS = 10_000;

export function createNotifier(ports: NotifierPorts): Notifier {
  return {
    async notify(execution) {
      const { origin, run } = execution;
      if (origin.kind === 'elsewhere') return 'told';
      const say = sayIn(await ports.people.languageOf(origin.by.id));
      const trouble = troubleOf(run);
      return trouble
        ? tellTrouble(ports, execution, { origin, trouble, say })
        : tellStarted(ports, execution, { origin, say });
    },
  };
}

/** The thread says it, too, so that only a window that says *Starting…* is changed. */
async function tellStarted(
  ports: NotifierPorts,
  { crew, channel, root }: Execution,
  { origin, say }: { origin: Started; say: Say },
): Promise<'told'> {
  const ts = tsOf(root);
  const link = ts === null ? null : permalink(ports.identity, channel, ts, null);
  if (origin.kind === 'form') await updateModal(ports, origin.form, startedModal({ crew, link }, say));
  return 'told';
}

async function tellTrouble(
  ports: NotifierPorts,
  execution: Execution,
  { origin, trouble, say }: { origin: Started; trouble: KickoffTrouble; say: Say },
): Promise<'told' | 'later'> {
  const { ref, crew, channel } = execution;
  if (origin.kind === 'form') {
    const failed = { execution, trouble, attempt: origin.form.attempt + 1, patienceMs: PATIENCE_MS };
    if (await updateModal(ports, origin.form, await startTroubleView(ports, failed, say))) return 'told';
  }
  try {
    await tellInSlack(ports, { channel, user: origin.by.id }, kickoffTroubleMessage({ ref, crew, trouble }, say));
    return 'told';
  } catch (error) {
    ports.log.warn({ ref, err: error }, 'could not notify the starter');
    return 'later';
  }
}

/** Where the bot isn't in the channel any more, or they aren't, by a direct message. Throws what the client throws. */
async function tellInSlack(
  { client }: NotifierPorts,
  place: { channel: string; user: string },
  message: Rendered,
): Promise<void> {
  try {
    await postPrivately(client, place, message);
  } catch {
    await postInChannel(client, place.user, message);
  }
}
