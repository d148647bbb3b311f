import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { KickoffDoubt, KickoffRefusal } from '../../core/execution/execution.ts';
import type { Say } from '../language/say.ts';
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
        title: say('start.title.unconfirmed'),
        sentence: say('start.unconfirmed', { crew, reason }),
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
