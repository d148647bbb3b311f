// Every sentence of the catalogues on one page, with sample values, for a writer to read.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { DEFAULT_COMMAND, LANGUAGES, type Language } from '../../src/core/policy/crew.ts';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { CATALOGUES, type MessageKey, type MessageValues } from '../../src/slack/language/catalogues.ts';
import { sayIn } from '../support/say.ts';

type Values = Record<string, string | number>;
type Choices = readonly (string | number)[];

/** How many of something there are, where the wording depends on it. */
const COUNTS = [1, 3, 0];

/** Self-contained, so that it can be handed on. */
export async function sentencesPage(): Promise<string> {
  const groups = await messagesByFile();
  const sections = groups.map(({ file, keys }) => `<section>\n<h2>${file}</h2>\n${tableOf(keys)}\n</section>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sentences of Signoff</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
  body { max-width: 90rem; margin: 1rem auto; padding: 0 1rem; }
  table { width: 100%; border-collapse: collapse; table-layout: fixed; }
  th, td { padding: 0.4rem 0.6rem; border-top: 1px solid #8884; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
  td p { margin: 0; white-space: pre-line; }
  td p + p { margin-top: 0.25rem; }
  tbody th { font: 0.75rem/1.8 ui-monospace, monospace; opacity: 0.7; }
  .key { width: 18%; }
</style>
<h1>Sentences of Signoff</h1>
${sections.join('\n')}
</html>
`;
}

/** The files of messages, which lie beside their types. */
async function messagesByFile() {
  const folder = join(CHECKOUT, 'src/slack/language/words');
  const groups = readdirSync(folder)
    .toSorted()
    .map(async (file) => {
      const parts: Record<string, Values> = await import(pathToFileURL(join(folder, file)).href);
      const keys = new Set(Object.values(parts).flatMap(Object.keys));
      return { file, keys: [...keys] as MessageKey[] };
    });
  return (await Promise.all(groups)).filter(({ keys }) => keys.length > 0);
}

function tableOf(keys: readonly MessageKey[]): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const heads = LANGUAGES.map((language) => `<th scope="col">${names.of(language)}</th>`);
  const rows = keys.map((key) => {
    const cells = LANGUAGES.map(
      (language) => `<td lang="${language}">${samplesOf(language, key).map(paragraph).join('')}</td>`,
    );
    return `<tr><th scope="row">${key}</th>${cells.join('')}</tr>`;
  });
  return `<table>
<thead><tr><th scope="col" class="key">Key</th>${heads.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function paragraph(text: string): string {
  return `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`;
}

/** A message as it reads in each of its cases. */
function samplesOf(language: Language, key: MessageKey): string[] {
  const samples = samplesFor(language, key);
  let cases: Values[] = [{}];
  for (const [name, choices] of choicesIn(parse(CATALOGUES[language][key], { ignoreTag: true }), samples))
    cases = choices.flatMap((choice) => cases.map((values) => ({ ...values, [name]: choice })));
  return [...new Set(cases.map((values) => sayIn(language)(key, values as MessageValues<MessageKey>)))];
}

/** What to try for each value that a message takes: one without a sample shows its name. */
function choicesIn(elements: readonly MessageFormatElement[], samples: Values): Map<string, Choices> {
  const choices = new Map<string, Choices>();
  for (const element of elements) {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
      case TYPE.tag:
        break;
      case TYPE.plural:
      case TYPE.select: {
        const options = Object.entries(element.options);
        for (const [, { value }] of options)
          for (const [name, inner] of choicesIn(value, samples)) choices.set(name, inner);
        choices.set(element.value, element.type === TYPE.plural ? COUNTS : options.map(([option]) => option));
        break;
      }
      case TYPE.number:
        choices.set(
          element.value,
          choices.get(element.value) ?? [element.style === 'percent' ? 0.8 : (samples[element.value] ?? 3)],
        );
        break;
      case TYPE.argument:
      case TYPE.date:
      case TYPE.time:
        choices.set(element.value, choices.get(element.value) ?? [samples[element.value] ?? `‹${element.value}›`]);
    }
  }
  return choices;
}

/** Those that say the time of day; in all others, a time is how long something takes. */
const TIMES_OF_DAY: readonly MessageKey[] = ['date.at', 'card.undoable'];

/** Plausible values by their names. */
function samplesFor(language: Language, key: MessageKey): Values {
  const say = sayIn(language);
  const hours = say('duration.hours-in-words', { count: 2 });
  const names = say.list(['Maria', 'Jon']);
  const headings = say.list(['Fixes', 'Thanks']);
  return {
    ...SAMPLES,
    ...PHRASES[language],
    ...{ names, people: names, who: names, whoCan: names, list: names, headings },
    ...{ age: hours, duration: hours, ago: hours },
    time: TIMES_OF_DAY.includes(key) ? '16:30' : hours,
    ...(key === 'card.stage-who' ? { stage: say('card.stage', { number: 1, count: 2, stage: 'Peer' }) } : {}),
    ...(key === 'policy.in-stage' || key === 'policy.not' ? { rule: say('policy.reminder', { time: hours }) } : {}),
    ...(key === 'policy.if' ? { rules: say('policy.conditions') } : {}),
    // There, it is one person.
    ...(key.startsWith('history.') ? { who: 'Maria', until: '', right: '' } : {}),
  };
}

/** Those of any language. */
const SAMPLES: Values = {
  kickoff: DEFAULT_COMMAND,
  ...{
    crew: 'release-notes',
    crews: 'release-notes, incident-review',
    task: 'Draft the notes',
    what: 'Draft the notes',
  },
  ...{
    name: 'Maria',
    by: 'Maria',
    to: 'Jon',
    other: 'Ana',
    agent: 'Writer',
    bot: 'signoff',
    email: 'maria@example.com',
  },
  ...{ group: '@release-managers', channel: '#releases', thread: '#releases', zone: 'Europe/Berlin' },
  ...{ command: '`/kickoff connect release-notes`', commands: '`/kickoff disconnect release-notes`' },
  ...{
    stage: 'Peer',
    next: 'Release',
    stages: 'Peer and Release',
    seat: '@legal',
    conditions: '“round > 1”',
    saw: ' (round: 2)',
  },
  ...{ condition: '`round > 1`', values: ' (round: 2)', missing: 'amount', needed: 'one approval from Jon' },
  ...{ total: 12_000, length: 3_400, most: 3_000, share: 40, page: 1, before: 1, after: 2 },
  ...{
    request: 'Draft the notes',
    title: 'Draft the notes',
    run: 'Release 2.4',
    tasks: '“Draft*”',
    mentions: '@Maria and @Jon',
  },
  ...{ host: 'crews.example.com', ref: 'k3v9', number: 1, rule: '@release-managers', voters: 'Jon', policy: 'a1b2c3' },
  ...{ count: 2, round: 2, quorum: 3, min: 1, max: 10, value: '12', decimal: '0.5', status: 409 },
  ...{
    line: 12,
    id: 'a1b2',
    hash: '9f86d081884c7d65',
  },
  ...{
    one: '`[1, 2]`',
    examples: '`[1, 2]`',
    options: 'EU, US',
    input: 'Topic',
    label: 'Topic',
    parts: 'task_id, output',
  },
  ...{ text: 'Thanks to everybody', find: '“Thanks”', through: '“everybody”', word: 'relaese', words: 'sev3' },
  ...{
    tool: 'Search',
    step: 'Reading the changes',
    said: 'execution not found',
    feedback: 'Nobody had time for this.',
  },
};

/** Parts that are put into other sentences. */
const PHRASES: Record<Language, Values> = {
  en: {
    date: 'Mon 23 Nov',
    at: 'Mon 23 Nov',
    when: '2 hours ago',
    since: 'for 2 hours',
    hours: 'Mon–Fri, 09:00–17:00',
    can: '*You can decide this*',
    waiting: 'Draft the notes has been waiting for approval for 2 hours.',
    sentence: 'Who can decide: Maria and Jon.',
    settings: 'You get a direct message for each request',
    why: 'The crew asked only 2 minutes ago.',
    action: 'approve Draft the notes',
    reason: 'the crew didn’t answer in time',
    proof: 'SHA-256, as in the ledger: `9f86d081884c7d65`',
  },
  de: {
    date: 'Mo., 23. Nov.',
    at: 'Mo., 23. Nov.',
    when: 'vor 2 Stunden',
    since: 'seit 2 Stunden',
    hours: 'Mo–Fr, 09:00–17:00',
    can: '*Du kannst das entscheiden*',
    waiting: 'Draft the notes wartet seit 2 Stunden auf eine Freigabe.',
    sentence: 'Entscheiden können: Maria und Jon.',
    settings: 'Du bekommst zu jeder Anfrage eine Direktnachricht',
    why: 'Die Crew hat erst vor 2 Minuten gefragt.',
    action: 'Draft the notes freigeben',
    reason: 'die Crew hat nicht rechtzeitig geantwortet',
    proof: 'SHA-256, wie im Protokoll: `9f86d081884c7d65`',
  },
};
