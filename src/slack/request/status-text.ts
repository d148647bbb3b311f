import { type RootModel, type RunState, runState, type Undelivered } from '../../core/messages/view-models.ts';
import type { CrewRefusal } from '../../core/state/approval.ts';
import type { KickoffDoubt, KickoffRefusal, StartedBy } from '../../core/state/execution.ts';
import type { Inputs, Json } from '../../core/values/json.ts';
import { mentionName } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { cutLine, escapedLine } from '../ui/text/escape.ts';

const LONGEST_ABOUT = 100;

/** What tells a run or request from others of its crew; escaped mrkdwn. */
export function aboutText(about: string): string {
  return escapedLine(about, LONGEST_ABOUT);
}

/** Who started a run; escaped mrkdwn. */
export function startedBy(
  { starter, byWorkflow, byProgram }: StartedBy,
  { name, say }: { name: NameOf; say: Say },
): string {
  if (starter) return say('run.started-by', { name: nameIn(name, starter) });
  if (byProgram !== undefined) return say('run.asked-by-program', { name: escapedLine(byProgram, LONGEST_ABOUT) });
  return say(byWorkflow ? 'run.started-by-workflow' : 'run.started-outside');
}

/** What the menu of a run offers; also that of a closed ask, which has no message of a run. */
export function runEntries(say: Say): { actionId: 'history' | 'copy_reference'; label: string }[] {
  return [
    { actionId: 'history', label: say('history.title') },
    { actionId: 'copy_reference', label: say('reference.title') },
  ];
}

/** The label of an input in the form, by its name. */
export type LabelOf = (input: string) => string;

const MOST_INPUTS = 12;
const INPUT_LIMIT = 120;
/** About three lines. */
const LINE_LIMIT = 500;

/** The inputs of a run or an ask in few lines, labelled as in the form; empty if it has none. Escaped mrkdwn. */
export function inputsLine(inputs: Inputs, labelOf: LabelOf, say: Say): string {
  const all = Object.entries(inputs).map(([name, value]) => input(labelOf(name), valueText(value, say)));
  let length = 0;
  const shown = all.slice(0, MOST_INPUTS).filter((each, i) => {
    length += each.length;
    return i === 0 || length <= LINE_LIMIT;
  });
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [say('run.more-inputs', { count: more })] : [])].join(' · ');
}

function input(label: string, value: string): string {
  return `*${escapedLine(label, 60)}:* ${escapedLine(value, INPUT_LIMIT)}`;
}

export function valueText(value: Json, say: Say): string {
  if (typeof value === 'boolean') return say(value ? 'run.yes' : 'run.no');
  return typeof value === 'string' ? mentionName(value) : JSON.stringify(value);
}

/** A run's state as a symbol and words, which are always shown together. */
interface RunLabel {
  symbol: string;
  word: string;
}

export function runLabel(model: RootModel, say: Say): RunLabel {
  const state = runState(model);
  return { symbol: SYMBOLS[state], word: say(`run.${state}`) };
}

const SYMBOLS: Record<RunState, string> = {
  starting: '⏳',
  running: '▶️',
  waiting: '✋',
  'waiting-for-approval': '✋',
  decided: '⏳',
  undelivered: '⚠️',
  'decision-not-confirmed': '❓',
  expired: '⌛',
  declined: '⛔',
  'not-tracked': '⏹️',
  completed: '✅',
  failed: '❌',
  lost: '❓',
  'not-started': '🚫',
  'not-confirmed': '❓',
  answered: '✅',
  undecided: '⌛',
  withdrawn: '⏹️',
};

/** What the state means and what to do about it; null if the label says it all. Plain text. */
export function runExplanation({ run, crew, openCard }: RootModel, say: Say): string | null {
  switch (run.status) {
    case 'lost':
      // The decision that met this already says so.
      return openCard?.undelivered === 'run-unknown' ? null : say('problem.lost');
    case 'not-started':
      return kickoffTroubleText({ kind: 'refused', refusal: run.refusal }, { crew, reader: 'everybody', say }).sentence;
    case 'not-confirmed':
      return kickoffTroubleText({ kind: 'doubt', doubt: run.doubt }, { crew, reader: 'everybody', say }).sentence;
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
      return null;
  }
}

/** What keeps us from hearing of the crew at the moment; null if nothing does, or the run isn't tracked. Plain text. */
export function connectionProblem(model: RootModel, say: Say): string | null {
  const { trouble, waitingUnseen, hasExpired, unfollowed, openCard, crewMissing } = model;
  if (crewMissing) return say('missing-crew.run');
  if (unfollowed) return null;
  if (waitingUnseen) return say(hasExpired ? 'problem.expired' : 'problem.unseen');
  switch (trouble) {
    case 'unauthorized':
      return say('problem.unauthorized');
    case 'unreachable':
      // A decision that is tried again already says so, or has had an answer since.
      return isTriedAgain(openCard?.undelivered ?? null) ? null : say('problem.unreachable');
    case 'error':
      return say('problem.error');
    case 'busy':
    case null:
      return null;
  }
}

function isTriedAgain(undelivered: Undelivered | null): boolean {
  return undelivered === 'unreachable' || undelivered === 'busy';
}

/** How a kickoff failed: it started nothing for certain, or its outcome is unknown. */
export type KickoffTrouble = { kind: 'refused'; refusal: KickoffRefusal } | { kind: 'doubt'; doubt: KickoffDoubt };

/** Plain text, to be escaped in mrkdwn. */
interface KickoffTroubleText {
  /** Short enough for the title of a modal. */
  title: string;
  sentence: string;
  /** What the crew's service itself said; null if nothing. */
  detail: string | null;
}

/** Who reads it: the starter alone, or everybody in the thread. */
type Reader = 'starter' | 'everybody';

interface About {
  crew: string;
  reader: Reader;
  say: Say;
}

export function kickoffTroubleText(trouble: KickoffTrouble, { crew: name, reader, say }: About): KickoffTroubleText {
  const crew = cutLine(name, 80);
  switch (trouble.kind) {
    case 'refused': {
      const { code, detail } = trouble.refusal;
      const sentence = refusalSentence(trouble.refusal, { crew, reader, say });
      return { title: refusalTitle(code, say), sentence, detail: cutLine(detail, 300) || null };
    }
    case 'doubt': {
      const reason = say(`start.doubt.${trouble.doubt}`);
      return {
        title: say('start.title.not-confirmed'),
        sentence: say('start.not-confirmed', { crew, reason }),
        detail: null,
      };
    }
  }
}

function refusalTitle(code: CrewRefusal, say: Say): string {
  return say(code === 'missing-inputs' ? 'start.title.inputs-missing' : 'start.title.not-started');
}

function refusalSentence({ code, missing }: KickoffRefusal, { crew, reader, say }: About): string {
  switch (code) {
    case 'missing-inputs':
      return missing.length === 0
        ? say('start.inputs-missing', { crew })
        : say('start.these-missing', { crew, names: quotedNames(missing, say) });
    case 'user-token-refused':
      return say(reader === 'starter' ? 'start.own-token-refused' : 'start.their-token-refused', { crew });
    case 'no-user-token':
      return say(reader === 'starter' ? 'start.own-token-missing' : 'start.their-token-missing', { crew });
    case 'bad-request':
    case 'unauthorized':
    case 'not-found':
    case 'quota':
    case 'unreachable':
    case 'busy':
    case 'other':
      return say(`start.${code}`, { crew });
  }
}

/** At most eight names in quotes: `“topic”, “audience” and 3 more`. */
export function quotedNames(names: string[], say: Say): string {
  const shown = names.slice(0, 8).map((name) => say('problem.quoted', { name: cutLine(name, 60) }));
  const rest = names.length - shown.length;
  return say.list(rest > 0 ? [...shown, say('list.more', { count: rest })] : shown);
}
