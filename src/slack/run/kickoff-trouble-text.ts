import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { KickoffDoubt, KickoffRefusal } from '../../core/execution/execution.ts';
import { cutLine } from '../ui/text/cut.ts';

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

export function kickoffTroubleText(
  trouble: KickoffTrouble,
  { crew, reader }: { crew: string; reader: Reader },
): KickoffTroubleText {
  switch (trouble.kind) {
    case 'refused': {
      const { code, detail } = trouble.refusal;
      const sentence = refusalSentence(trouble.refusal, { crew: shortName(crew), reader });
      return { title: refusalTitle(code), sentence, detail: cutLine(detail, 300) || null };
    }
    case 'doubt':
      return { title: 'Maybe started', sentence: doubtSentence(trouble.doubt, shortName(crew)), detail: null };
  }
}

function shortName(crew: string): string {
  return cutLine(crew, 80);
}

function refusalTitle(code: CrewRefusal): string {
  return code === 'missing-inputs' ? 'Something is missing' : 'Not started';
}

function refusalSentence(
  { code, missing }: KickoffRefusal,
  { crew, reader }: { crew: string; reader: Reader },
): string {
  switch (code) {
    case 'missing-inputs':
      return missing.length === 0
        ? `${crew} was not started: it needs more inputs. Please fill them in and start it again.`
        : `${crew} was not started: it still needs ${quotedNames(missing)}. Please fill in what is missing and start it again.`;
    case 'bad-request':
      return `${crew} was not started: it could not read the inputs. Please check them, numbers and dates first, and try again.`;
    case 'unauthorized':
      return `${crew} was not started: it doesn’t accept our access token. Whoever runs Signoff needs to renew it; then try again.`;
    case 'user-token-refused':
    case 'no-user-token':
      return userTokenSentence(code, { crew, reader });
    case 'not-found':
      return `${crew} was not started: there is no crew at its address any more. Whoever runs Signoff needs to correct the address; then try again.`;
    case 'quota':
      return `${crew} was not started: its limit of runs is used up for now. Try again when the limit is renewed or raised.`;
    case 'unreachable':
      return `${crew} was not started: it can’t be reached. It may be asleep or down; please try again in a few minutes.`;
    case 'other':
      return `${crew} was not started: it said no. Please try again; if that doesn’t help, ask whoever runs the crew.`;
  }
}

function userTokenSentence(
  code: 'user-token-refused' | 'no-user-token',
  { crew, reader }: { crew: string; reader: Reader },
): string {
  const whose = reader === 'starter' ? 'your own token' : 'the own token of the person who started it';
  const why = code === 'no-user-token' ? `it needs ${whose}, and none is connected` : `it doesn’t accept ${whose}`;
  const who = reader === 'starter' ? 'Connect one' : 'They can connect one';
  return `${crew} was not started: ${why}. ${who} with /kickoff connect ${crew}, then start it again.`;
}

function doubtSentence(doubt: KickoffDoubt, crew: string): string {
  return (
    `${crew} may have started: ${doubtReason(doubt)}. If it did, its news will arrive in the thread. ` +
    'Starting again may run it twice, so please wait a moment or look in the crew’s control panel first.'
  );
}

function doubtReason(doubt: KickoffDoubt): string {
  switch (doubt) {
    case 'no-answer':
      return 'it didn’t answer in time';
    case 'server-error':
      return 'it answered with an error of its own';
    case 'no-id':
      return 'it said yes, but didn’t name the run';
    case 'interrupted':
      return 'we were interrupted while we asked it';
  }
}

/** At most eight names in quotes: `“topic”, “audience” and 3 more`. */
export function quotedNames(names: string[]): string {
  const shown = names.slice(0, 8).map((name) => `“${cutLine(name, 60)}”`);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
