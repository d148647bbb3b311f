// Sentences about the state of a run and about a start that failed: in its first message, on cards, in lists and in private answers.
import { type RootModel, type RunState, runState } from '../../core/messages/view-models.ts';
import type { KickoffDoubt, KickoffRefusal, StartedBy } from '../../core/state/execution.ts';
import type { Inputs, Json } from '../../core/values/json.ts';
import { mentionName } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { cutLine, escapedLine } from '../ui/text/escape.ts';

const LONGEST_ABOUT = 100;

/** Returns what distinguishes a run or request from others of its crew. Escaped mrkdwn. */
export function aboutText(about: string): string {
  return escapedLine(about, LONGEST_ABOUT);
}

/** Says who started a run. Escaped mrkdwn. */
export function startedBy(
  { starter, byWorkflow, byProgram }: StartedBy,
  { name, say }: { name: NameOf; say: Say },
): string {
  if (starter) return say('run.started-by', { name: nameIn(name, starter) });
  if (byProgram !== undefined) return say('run.asked-by-program', { name: escapedLine(byProgram, LONGEST_ABOUT) });
  return say(byWorkflow ? 'run.started-by-workflow' : 'run.started-outside');
}

/** Returns the menu entries that a run and a closed ask have in common. */
export function runEntries(say: Say): { actionId: 'history' | 'copy_reference'; label: string }[] {
  return [
    { actionId: 'history', label: say('history.title') },
    { actionId: 'copy_reference', label: say('reference.title') },
  ];
}

/** Returns the label of an input in the form, by its name. */
export type LabelOf = (input: string) => string;

const MOST_INPUTS = 12;
const INPUT_LIMIT = 120;
/** About three lines. */
const LINE_LIMIT = 500;

/** Returns the inputs of a run or an ask in few lines, with their labels. Escaped mrkdwn. */
export function inputsLine(inputs: Inputs, labelOf: LabelOf, say: Say): string {
  const all = Object.entries(inputs).map(
    ([name, value]) => `*${escapedLine(labelOf(name), 60)}:* ${escapedLine(valueText(value, say), INPUT_LIMIT)}`,
  );
  let length = 0;
  const items = all.slice(0, MOST_INPUTS).filter((each, i) => {
    length += each.length;
    return i === 0 || length <= LINE_LIMIT;
  });
  const more = all.length - items.length;
  return [...items, ...(more > 0 ? [say('run.more-inputs', { count: more })] : [])].join(' · ');
}

export function valueText(value: Json, say: Say): string {
  if (typeof value === 'boolean') return say(value ? 'run.yes' : 'run.no');
  return typeof value === 'string' ? mentionName(value) : JSON.stringify(value);
}

/** Returns a run's state as a symbol and a word, which are always shown together. */
export function runLabel(model: RootModel, say: Say): { symbol: string; word: string } {
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

/** Says what the state means and what to do about it. Null if the label says it all. Plain text. */
export function runExplanation({ run, crew, openCard }: RootModel, say: Say): string | null {
  const about = { crew, reader: 'everybody', say } as const;
  switch (run.status) {
    case 'lost':
      // The words about the undelivered decision say so already.
      return openCard?.undelivered === 'run-unknown' ? null : say('problem.lost');
    case 'not-started':
      return kickoffTroubleText({ kind: 'refused', refusal: run.refusal }, about).sentence;
    case 'not-confirmed':
      return kickoffTroubleText({ kind: 'doubt', doubt: run.doubt }, about).sentence;
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
      return null;
  }
}

/** Says why we don't get any news of the crew now. Null if we do, or if the run isn't tracked. Plain text. */
export function connectionProblem(model: RootModel, say: Say): string | null {
  const { trouble, waitingUnseen, hasExpired, unfollowed, openCard, crewMissing } = model;
  if (crewMissing) return say('missing-crew.run');
  if (unfollowed) return null;
  if (waitingUnseen) return say(hasExpired ? 'problem.expired' : 'problem.unseen');
  if (trouble === null || trouble === 'busy') return null;
  // The words about an undelivered decision that we send again say so already.
  const undelivered = openCard?.undelivered;
  const isSaid = trouble === 'unreachable' && (undelivered === 'unreachable' || undelivered === 'busy');
  return isSaid ? null : say(`problem.${trouble}`);
}

/** The failure of a kickoff: it has certainly started nothing (`refused`), or we don't know (`doubt`). */
export type KickoffTrouble = { kind: 'refused'; refusal: KickoffRefusal } | { kind: 'doubt'; doubt: KickoffDoubt };

/** Plain text, to be escaped in mrkdwn. */
interface KickoffTroubleText {
  /** Short enough for the title of a modal. */
  title: string;
  sentence: string;
  /** Words of the crew's service. Null if there are none. */
  detail: string | null;
}

interface About {
  crew: string;
  /** `everybody`: all people in the thread. */
  reader: 'starter' | 'everybody';
  say: Say;
}

/** Says why a kickoff failed. */
export function kickoffTroubleText(trouble: KickoffTrouble, { crew: name, reader, say }: About): KickoffTroubleText {
  const crew = cutLine(name, 80);
  if (trouble.kind === 'doubt') {
    const sentence = say('start.not-confirmed', { crew, reason: say(`start.doubt.${trouble.doubt}`) });
    return { title: say('start.title.not-confirmed'), sentence, detail: null };
  }
  const { code, detail } = trouble.refusal;
  return {
    title: say(code === 'missing-inputs' ? 'start.title.inputs-missing' : 'start.title.not-started'),
    sentence: refusalSentence(trouble.refusal, { crew, reader, say }),
    detail: cutLine(detail, 300) || null,
  };
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

/** Lists at most eight names in quotes: `“topic”, “audience” and 3 more`. */
export function quotedNames(names: string[], say: Say): string {
  const quotes = names.slice(0, 8).map((name) => say('problem.quoted', { name: cutLine(name, 60) }));
  const rest = names.length - quotes.length;
  return say.list(rest > 0 ? [...quotes, say('list.more', { count: rest })] : quotes);
}
