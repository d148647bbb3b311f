import type { HomeView } from '@slack/types';
import type { PersonalInbox } from '../../../src/core/inbox/inbox.ts';
import { USUAL_SETTINGS } from '../../../src/core/inbox/person-settings.ts';
import type { OpenRequest, OpenRun, PastDecision } from '../../../src/core/inbox/snapshot.ts';
import type { LastDecision } from '../../../src/slack/features/home/last-decision.ts';
import { filtersOf, type HomeDetails, type HomeRun, homeModel } from '../../../src/slack/features/home/model.ts';
import { MOST_AT_ONCE } from '../../../src/slack/features/home/selection.ts';
import type { HomeState } from '../../../src/slack/features/home/state.ts';
import { bareHome, homeView } from '../../../src/slack/features/home/view.ts';
import { settingsLine } from '../../../src/slack/features/settings/settings-line.ts';
import type { NameOf } from '../../../src/slack/ui/person.ts';
import { inForce } from '../../support/rules-in-force.ts';
import { card, counts, jon, maria, NOW, policy, say, staged } from './models.ts';

/** A Home that shows everything. */
export const WHOLE: HomeState = {
  ...{ crew: null, channel: null, words: '', ticked: [], drawn: 0, last: null },
  pages: { waiting: 0, others: 0, runs: 0, decided: 0 },
};

export function openRun(change: Partial<OpenRun> = {}): OpenRun {
  return {
    ...{ ref: 'r1', crew: 'Release notes', channel: 'C0RELEASE', starter: maria, inputs: { repository: 'cardwall' } },
    ...{ createdAt: NOW - 600_000, state: 'waiting-for-approval', rootTs: '1763689400.000000' },
    ...change,
  };
}

export function openRequest({
  run,
  ...change
}: Partial<Omit<OpenRequest, 'run'>> & { run?: Partial<OpenRun> } = {}): OpenRequest {
  return {
    ...{ run: openRun(run), approvalId: '1', taskId: 't1', taskName: 'publish', round: 1, askedAt: NOW - 300_000 },
    ...{
      output: { hash: 'a'.repeat(64), length: 20 },
      about: '',
      repeatsRound: null,
      isTitled: false,
      escalated: [],
      handedOver: [],
    },
    ...{ stages: [], voters: [], votersBefore: [], expireAt: null, cardTs: '1763689700.000000' },
    ...change,
  };
}

export function pastDecision(change: Partial<PastDecision> = {}): PastDecision {
  return {
    ...{ ref: 'r2', approvalId: '1', crew: 'Release notes', task: 'publish', round: 1, rounds: 1, outcome: 'approve' },
    ...{ by: [jon.id], askedAt: NOW - 500_000, decidedAt: NOW - 260_000, record: null },
    ...change,
  };
}

export function homeRun(change: Partial<HomeRun> = {}): HomeRun {
  return { ...openRun(), endedAt: null, ...change };
}

export function inbox(change: Partial<PersonalInbox> = {}): PersonalInbox {
  return { at: NOW, waiting: [], waitingForOthers: [], runs: [], decided: [], unsure: 0, ...change };
}

export const waitingFor = (...requests: OpenRequest[]) => requests.map((request) => ({ request, rule: 'workspace' }));

interface Seen {
  state?: Partial<HomeState>;
  runs?: readonly HomeRun[];
  text?: string | null;
  last?: LastDecision | null;
  change?: Partial<HomeDetails>;
}

/** Maria's Home. */
export function home(
  what: Partial<PersonalInbox>,
  { state = {}, runs = [], text = 'Ready.', last = null, change }: Seen = {},
): HomeView {
  const channelName = (id: string) => ({ C0RELEASE: 'release', C0DOCS: 'docs' })[id] ?? id;
  const held = inbox(what);
  const filters = filtersOf(held, runs);
  const name: NameOf = ({ name }) => name;
  const own = { personId: maria.id, channelName, name, ...change };
  const model = homeModel(held, { state: { ...WHOLE, ...state }, runs, filters, last, ...own });
  return homeView(model, {
    ...{ ...own, textOf: () => text, policiesOf: () => [inForce(policy())], now: NOW, say },
    settings: 'You get a direct message immediately',
    linkTo: (channel, ts) =>
      ts === null ? null : `https://example.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
    ...change,
  });
}

/** Homes with the given text wherever foreign text goes, and more in them than one page holds. */
export function everyHome(foreign: string): [string, HomeView][] {
  const text = foreign.slice(0, 20_000);
  const many = <Item>(make: (i: number) => Item) => Array.from({ length: 100 }, (_, i) => make(i));
  const person = { id: 'U0PERSON', name: text };
  const run = (i: number) => ({
    ref: `r${i}`,
    crew: `${i}${text}`,
    channel: `C${i}`,
    starter: person,
    inputs: { [text.slice(0, 99)]: text },
  });
  const request = (i: number) =>
    openRequest({
      ...{ run: run(i), taskName: text, round: 12, repeatsRound: 11, isEscalated: true, voters: [maria.id, jon.id] },
      handedOver: [{ to: maria, by: person, at: NOW, until: null }],
      ...{ about: text, expireAt: NOW + 3_600_000 },
    });
  const by = Array.from({ length: 30 }, (_, i) => `U0PERSON${i}`);
  const decisions = many((i) => pastDecision({ ref: `r${i}`, crew: text, task: text, by, round: 12 }));
  const crowded = {
    ...{ waiting: waitingFor(...many(request)), waitingForOthers: many(request), decided: decisions, unsure: 12 },
  };
  const runs = many((i) => homeRun({ ...run(i), endedAt: i % 2 ? NOW : null }));
  const change = {
    name: () => text,
    settings: awayLine(text),
    policyOf: () => staged({ [text]: { quorum: 9 }, [`${text}!`]: { quorum: 9 } }, 1),
    channelName: () => text,
  };
  const pages = { waiting: 5, others: 5, runs: 5, decided: 5 };
  const last = {
    kind: 'voted',
    model: card({ crew: text, taskName: text, about: text }),
    standing: counts(2, 9),
  } as const;
  const ticked = [...many((i) => i).slice(0, MOST_AT_ONCE - 1), 999].map((i) => ({
    ...{ ref: `r${i}`, approvalId: '1', hash: 'a'.repeat(64) },
  }));
  const details = { runs, text, last, state: { ticked }, change };
  const outcomes = (['approve', 'reject', 'closed'] as const).flatMap((outcome) => [
    pastDecision({ outcome, crew: text, task: text }),
    pastDecision({ outcome, by: [] }),
  ]);
  return [
    ['home, crowded', home(crowded, details)],
    ['home, later pages', home(crowded, { ...details, state: { ...details.state, pages } })],
    [
      'home, narrowed to nothing',
      home(crowded, { ...details, state: { ...details.state, crew: text, channel: text, words: text } }),
    ],
    ['home, texts gone', home(crowded, { ...details, text: null })],
    ['home, nobody known', home({ waiting: waitingFor(openRequest({ run: { starter: null }, taskName: null })) })],
    ['home, outcomes', home({ decided: outcomes }, { change })],
    ['home, empty', home({})],
    ...(['elsewhere', 'no-store', 'who-are-you'] as const).map((why): [string, HomeView] => [
      `home, ${why}`,
      bareHome(why, say, '{}'),
    ]),
  ];
}

function awayLine(standIn: string): string {
  const away = { until: NOW + 86_400_000, standIn: { id: 'U0PERSON', name: standIn }, since: NOW };
  return settingsLine({ ...USUAL_SETTINGS, away }, NOW, {
    name: ({ name }) => name,
    say,
  });
}
