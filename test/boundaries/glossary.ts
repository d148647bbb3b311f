import type { SourceFile, Span } from '../support/source-files.ts';
import { forEachFile, type TestedRule } from './rule.ts';

/** Where a word stands: in an identifier or the path, in a comment, or in a string. */
type Place = 'names' | 'comments' | 'strings';

type Term = {
  /** Matched against lower-case words: `cardFace`, `CARD_FACE` and `card-face` are all "card face". */
  retired: RegExp;
  use: string;
  /** Everywhere by default. */
  places?: readonly Place[];
  /** Files in which the word has an honest meaning. */
  except?: RegExp;
};

/** Strings may have these words in their plain English sense, and so may Slack's names of emoji. */
const NOT_STRINGS = ['names', 'comments'] as const;

const UPGRADE = /^src\/redis\/executions\/upgrade\.ts$/; // reads the field names that version 1 stored
const NEWS_HEADINGS = /^src\/sandbox\/crew-service\/crews\/release-notes\//; // "News" is a title that people ask for
const LEDGER = /\bledger\/|^src\/audit\.ts$|^src\/redis\/executions\/(scripts|store-batch|stored-record)\.ts$/; // entries form chains, and checkpoints are signed notes
const SANDBOX = /^src\/sandbox\//; // plus and minus signs; there is no evidence there

const either = (one: RegExp, other: RegExp) => new RegExp(`${one.source}|${other.source}`);

const ACTOR = 'the actor: a Slack user, the operator, a client';

const TERMS: readonly Term[] = [
  { retired: /\bdesks?\b/, use: 'ListenerContext in slack, ExecutionTasks in the worker' },
  { retired: /\b(duty|duties|owe[ds]?|owing)\b/, use: 'due action, due', except: UPGRADE },
  { retired: /\bfaces?\b/, use: 'view model', places: NOT_STRINGS },
  { retired: /\bsigns?\b(?! (in|up|off)\b)/, use: 'evidence', places: NOT_STRINGS, except: either(SANDBOX, LEDGER) },
  { retired: /\bdoors?\b/, use: 'server, adapter or context' },
  { retired: /\bboards?\b/, use: 'thread port, thread', places: NOT_STRINGS },
  { retired: /\b(pace[ds]?|pacing)\b/, use: 'rate limiter, delay' },
  { retired: /\bcensus\b/, use: 'store counts' },
  { retired: /\bcourtesy\b/, use: 'yield to clicks' },
  { retired: /(?<!\bcert in )\bchains?\b/, use: 'kickoff ids', except: either(UPGRADE, LEDGER) },
  { retired: /\bnews\b/, use: 'execution events', places: NOT_STRINGS, except: NEWS_HEADINGS },
  { retired: /\berrands?\b/, use: 'task, call' },
  { retired: /(?<!\bstarter )\bnotices?\b/, use: 'starter notice', places: ['names'], except: UPGRADE },
  {
    // The noun is an approver's note, and noteModal is its modal.
    retired: /(?<!\w )\bnote( (?!block|input|limit|metadata|modal|preview)\w+|\()/,
    use: 'record…',
    places: ['names'],
  },
  // What people read in Slack may say these.
  { retired: /\bso many\b/, use: 'the number of', places: ['comments'] },
  { retired: /\b((some|any)body|whoever)\b/, use: ACTOR, places: ['comments'] },
  { retired: /\bmend(s|ed|ing)?\b/, use: 'fix, repair', places: ['comments'] },
  { retired: /\belse\b[^.;:]{0,60}\bwould\b/, use: 'otherwise … would', places: ['comments'] },
  { retired: /\bof ours\b/, use: 'our', places: ['comments'] },
  { retired: /\bin hand\b/, use: 'in progress', places: ['comments'] },
];

const ANY_TERM = new RegExp(TERMS.map(({ retired }) => retired.source).join('|'));

/** As `line 7: "door" is retired, say server, adapter or context`. */
function retiredTermsIn(file: SourceFile): string[] {
  const texts = Object.entries(textsOf(file)) as [Place, string][];
  return [...pathTermsOf(file), ...texts.flatMap(([place, text]) => termsIn(file, place, text))];
}

const pathTermsOf = (file: SourceFile) => termsIn(file, 'names', file.path.replace(/^src\//, ''));

function termsIn({ path }: SourceFile, place: Place, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const words = wordsOf(line);
    if (!ANY_TERM.test(words)) return [];
    return TERMS.filter(({ places, except }) => (places?.includes(place) ?? true) && !except?.test(path)).flatMap(
      ({ retired, use }) => {
        const [found] = retired.exec(words) ?? [];
        return found === undefined ? [] : [`line ${index + 1}: "${found}" is retired, say ${use}`];
      },
    );
  });
}

/** Takes camelCase, CONSTANT_CASE and kebab-case apart. */
const wordsOf = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

/** The text of each place on its own, with the line numbers of the whole. */
function textsOf({ text, nodes, comments }: SourceFile): Record<Place, string> {
  const strings = nodes.flatMap(({ type, value, start, end }): Span[] => {
    const isString = ['TemplateElement', 'JSXText'].includes(type) || (type === 'Literal' && typeof value !== 'number');
    return isString && typeof start === 'number' && typeof end === 'number' ? [{ start, end }] : [];
  });
  return {
    names: between(text, [...comments, ...strings]),
    comments: within(text, comments),
    strings: within(text, strings),
  };
}

const blank = (text: string) => text.replace(/[^\n]+/g, ' ');

function within(text: string, spans: readonly Span[]): string {
  let at = 0;
  const parts = inOrder(spans).map(({ start, end }) => {
    const part = blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
    return part;
  });
  return parts.join('');
}

function between(text: string, spans: readonly Span[]): string {
  let at = 0;
  const parts = inOrder(spans).map(({ start, end }) => {
    const part = text.slice(at, start) + blank(text.slice(start, end));
    at = end;
    return part;
  });
  return parts.join('') + text.slice(at);
}

const inOrder = (spans: readonly Span[]) => [...spans].sort((a, b) => a.start - b.start);

const at = (text: string) => ({ 'src/slack/ui/blocks.ts': text });

export const GLOSSARY_RULES: Record<string, TestedRule> = {
  'retired words stay retired': {
    rule: forEachFile(retiredTermsIn),
    folders: ['src'],
    broken: [
      at('const workerDesk = 1;'),
      at('type DUTY_KEY = string;'),
      at('/** What it owes. */'),
      at(`log.info('delivery owed');`),
      at('interface CardFace { text: string }'),
      at('recordSign(execution);'),
      at('// A sign of life'),
      { 'src/sandbox/crew-service/http-door.ts': '' },
      at('import { Board } from "./thread.ts";'),
      at('const paces = [];'),
      at('const census = counts();'),
      at('// Out of courtesy'),
      at('const { chain } = execution;'),
      at('for (const news of events) count(news);'),
      at('const errand = 1;'),
      at('const { notice } = execution;'),
      at('noteTask(execution);'),
      at('note(execution);'),
      at('// After so many polls'),
      at('// Somebody clicked'),
      at('/*\n * Whoever\n * clicked */'),
      at('// Mends the index'),
      at('// Now, or else the client would wait'),
      at('// A record of ours'),
      at('// The call in hand'),
    ],
    kept: [
      at('interface Surface { keyboard: string; workspace: string; onboarding: Dashboard }'),
      at(
        `const pleaseSignIn = <b>Somebody may sign up. A sign, the news, :face:, a notice board</b>;`.replace(
          /<\/?b>/g,
          '`',
        ),
      ),
      at(`const codes = ['SELF_SIGNED_CERT_IN_CHAIN'];`),
      at('const { starterNotice } = execution; const signature = signing.signed;'),
      at('noteModal(note, NOTE_LIMIT);'),
      at('// Recommend, or else wait. It would do.'),
      { 'src/redis/executions/upgrade.ts': 'const { chain, notice } = record;' },
      { 'src/sandbox/crew-service/crews/release-notes/headings.ts': 'const titles = { news: 1 };' },
    ],
  },
};
