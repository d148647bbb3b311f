import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { type Execution, threadTsOf } from '../../core/state/execution.ts';
import { postOf, ROOT, tsOf } from '../../core/state/message.ts';
import type { Millis } from '../../core/values/time.ts';
import { type Identity, permalink } from '../api/identity.ts';
import { postInChannel, postPrivately } from '../api/posts.ts';
import type { People } from '../api/users.ts';
import type { FormPorts } from '../features/kickoff/form.ts';
import { startedModal } from '../features/kickoff/progress.ts';
import { startTroubleView, troubleOf } from '../features/kickoff/start.ts';
import { kickoffTroubleMessage } from '../features/kickoff/trouble.ts';
import type { Say, Sayings } from '../language/say.ts';
import { updateModal } from '../listening/modals.ts';
import type { KickoffTrouble } from '../request/status-text.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';

// Notices outside the thread of a run say how its kickoff went, that a crew's request can't be read, or that the run is lost.

/** Tells the starter how the kickoff went: in the form if it is still open, otherwise privately. */
export interface Notifier {
  /** Never throws. */
  notify(execution: Execution, now: Millis): Promise<'told' | 'later'>;
}

interface NotifierPorts extends FormPorts {
  client: WebClient;
  identity: Identity;
  people: People;
  sayings: Sayings;
  log: Logger;
}

/** People who start a run in another way see its outcome there. */
type Started = Extract<Execution['origin'], { kind: 'form' | 'command' }>;

/**
 * Time for which we assume that the starter looks at the channel. Slack shows an ephemeral message only to people who do, and not for long:
 * https://docs.slack.dev/reference/methods/chat.postEphemeral
 */
const WATCHING_MS = 5_000;

/** Time for the crew to say which inputs it needs. Nobody is waiting for the notice. */
const PATIENCE_MS = 10_000;

export function createNotifier(ports: NotifierPorts): Notifier {
  return {
    async notify(execution, now) {
      const { origin, run } = execution;
      if (origin.kind !== 'form' && origin.kind !== 'command') return 'told';
      const say = ports.sayings.in(await ports.people.languageOf(origin.by.id));
      const trouble = troubleOf(run);
      return trouble
        ? notifyOfTrouble(ports, execution, { origin, trouble, now, say })
        : notifyOfStart(ports, execution, { origin, say });
    },
  };
}

/** The thread says it, too, so only a modal that says *Starting…* changes. */
async function notifyOfStart(
  ports: NotifierPorts,
  execution: Execution,
  { origin, say }: { origin: Started; say: Say },
): Promise<'told'> {
  const { crew, channel } = execution;
  const ts = tsOf(postOf(execution, ROOT));
  const link = ts === null ? null : permalink(ports.identity, channel, ts, null);
  if (origin.kind === 'form') await updateModal(ports, origin.form, startedModal({ crew, link }, say));
  return 'told';
}

async function notifyOfTrouble(
  ports: NotifierPorts,
  execution: Execution,
  { origin, trouble, now, say }: { origin: Started; trouble: KickoffTrouble; now: Millis; say: Say },
): Promise<'told' | 'later'> {
  const { ref, crew, channel, createdAt } = execution;
  if (origin.kind === 'form') {
    const failed = { execution, trouble, attempt: origin.form.attempt + 1, patienceMs: PATIENCE_MS };
    if (await updateModal(ports, origin.form, await startTroubleView(ports, failed, say))) return 'told';
  }
  try {
    const message = kickoffTroubleMessage({ ref, crew, trouble }, say);
    const place = { channel, user: origin.by.id };
    if (now - createdAt < WATCHING_MS) await notifyInChannel(ports, place, message);
    else await postInChannel(ports.client, place.user, message);
    return 'told';
  } catch (error) {
    ports.log.warn({ ref, err: error }, 'could not notify the starter');
    return 'later';
  }
}

/** Posts for the starter alone in the channel, or, if Slack doesn't take that, by direct message. Throws what the client throws. */
async function notifyInChannel(
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

/** A crew asked for human input, and there is no thread for it: we can't read it, or may not send an answer to this host. */
type LostRequest = { crew: string } & (
  | { kind: 'unreadable-request'; keys: string[] }
  | { kind: 'unanswerable-request'; host: string }
);

/** Reports it in the crew's channel, or in the log if there is none or Slack is unavailable. Never throws. */
export async function reportInChannel(
  { client, channel, say, log }: { client: WebClient; channel: string | null; say: Say; log: Logger },
  lost: LostRequest,
): Promise<void> {
  if (channel === null) return log.warn(lost, 'can’t show a request for human input; its crew has no channel');
  try {
    await postInChannel(client, channel, lostRequestMessage(lost, say));
  } catch (error) {
    log.warn({ ...lost, err: error }, 'can’t show a request for human input, nor report it in the channel');
  }
}

const MOST_KEYS = 20;

/** Says that a crew waits for a person who can't answer it here, and what its operator, or ours, can do about it. */
export function lostRequestMessage(lost: LostRequest, say: Say): Rendered {
  const text = `⚠️ ${say(`problem.${lost.kind}`, { crew: escapedLine(lost.crew, 80) })}`;
  return rendered(text, [section(text), context(remedy(lost, say))]);
}

function remedy(lost: LostRequest, say: Say): string {
  switch (lost.kind) {
    case 'unreadable-request': {
      const names = lost.keys.slice(0, MOST_KEYS).map((key) => say('problem.quoted', { name: escapedLine(key, 60) }));
      return names.length === 0
        ? say('problem.unreadable-nothing')
        : say('problem.unreadable-parts', { parts: names.join(', ') });
    }
    case 'unanswerable-request':
      return lost.host === ''
        ? say('problem.unanswerable-nowhere')
        : say('problem.unanswerable-host', { host: escapedLine(lost.host, 100) });
  }
}

/** Runs beyond this number are only counted. */
const MOST_RUNS = 20;

/** Tells a person which of their runs the store has lost. Throws what the client throws. */
export async function tellLostRuns(
  { client, identity, people, sayings }: Pick<NotifierPorts, 'client' | 'identity' | 'people' | 'sayings'>,
  personId: string,
  runs: readonly Execution[],
): Promise<void> {
  const say = sayings.in(await people.languageOf(personId));
  await postInChannel(client, personId, lostRunsMessage(runs, identity, say));
}

export function lostRunsMessage(runs: readonly Execution[], identity: Identity, say: Say): Rendered {
  const text = `⚠️ ${say('problem.lost-runs', { count: runs.length })}`;
  const lines = runs.slice(0, MOST_RUNS).map((execution) => {
    const { ref, crew, channel } = execution;
    const ts = threadTsOf(execution);
    const link = ts === null ? [] : [`<${permalink(identity, channel, ts, null)}|${say('alert.open')}>`];
    return `• ${[escapedLine(crew, 80), ...link, `${say('reference.ref')} \`${ref}\``].join(' · ')}`;
  });
  const more = runs.length > MOST_RUNS ? [say('list.and-more', { count: runs.length - MOST_RUNS })] : [];
  return rendered(text, [section(text), section([...lines, ...more].join('\n'))]);
}
