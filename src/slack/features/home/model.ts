// Everything that the Home tab shows of what concerns a person, in the state that they have put it in.

import type { PersonalInbox } from '../../../core/inbox/inbox.ts';
import type { OpenRequest, OpenRun, PastDecision } from '../../../core/inbox/snapshot.ts';
import type { Inputs } from '../../../core/json.ts';
import type { Millis } from '../../../core/time.ts';
import type { Say } from '../../language/say.ts';
import { pageWithin } from '../../ui/modal.ts';
import type { NameOf } from '../../ui/person.ts';
import { type HomeState, isNarrowed, type ListName } from './state.ts';

/** One of a person's runs, in progress or ended. */
export interface HomeRun {
  ref: string;
  crew: string;
  channel: string;
  status: OpenRun['status'];
  inputs: Inputs;
  createdAt: Millis;
  /** Null while it is in progress. */
  endedAt: Millis | null;
  rootTs: string | null;
  /** Its crew isn't configured at the moment. */
  crewMissing?: true;
  /** After a final no, nothing more is asked in it. */
  isDeclined?: true;
}

/** One page of a list, counted from 0. */
export interface HomePage<Item> {
  shown: readonly Item[];
  at: number;
  count: number;
  /** How many the filters and the search leave on all pages. */
  found: number;
  /** How many there are without them. */
  all: number;
}

/** Everything that the Home tab shows of what concerns a person. */
export interface HomeModel extends Filters {
  state: HomeState;
  waiting: HomePage<OpenRequest>;
  others: HomePage<OpenRequest>;
  runs: HomePage<HomeRun>;
  /** How many of the runs haven't ended, whatever the filters leave. */
  inProgress: number;
  decided: HomePage<PastDecision>;
  unsure: number;
}

/** What the Home tab shows besides its model. */
export interface HomeDetails {
  /** The id of the person whose Home it is. */
  personId: string;
  /** The text that a request asks about; null if it is no longer stored, undefined if it isn't to be shown. */
  textOf: (request: OpenRequest) => string | null | undefined;
  /** How many people have to approve a request. */
  quorumOf: (request: OpenRequest) => number;
  name: NameOf;
  /** How the person is told of what waits, on one line. Escaped mrkdwn. */
  settings: string;
  /** Of a channel, without #; its id if Slack doesn't tell. */
  channelName: (channel: string) => string;
  /** The address of a message; null if it isn't posted. */
  linkTo: (channel: string, ts: string | null, threadTs: string | null) => string | null;
  say: Say;
}

/** What can be filtered by. */
interface Filters {
  crews: readonly string[];
  channels: readonly string[];
}

interface About {
  state: HomeState;
  runs: readonly HomeRun[];
  filters: Filters;
  channelName: (id: string) => string;
}

/** As many as fit into one view, with everything around them. */
const PAGE_SIZES: Record<ListName, number> = { waiting: 8, others: 5, runs: 5, decided: 8 };

/** What a person sees of their inbox in a state. */
export function homeModel(inbox: PersonalInbox, { state, runs, filters, channelName }: About): HomeModel {
  const requests = { waiting: inbox.waiting.map(({ request }) => request), others: inbox.waitingForOthers };
  const ofRequest = (request: OpenRequest) => fieldsOf(request.run, [request.taskName ?? '']);
  const fieldsOf = (run: OpenRun | HomeRun, more: string[]): Fields => ({
    crew: run.crew,
    channel: run.channel,
    searched: () => [...more, channelName(run.channel), searchedOfRun({ starter: null, ...run })].join('\n'),
  });
  const ofDecision = ({ crew, task, record }: PastDecision): Fields => {
    const channel = record?.channel ?? null;
    return { crew, channel, searched: () => [task, crew, channel && channelName(channel)].join('\n') };
  };
  const page = <Item>(list: ListName, items: readonly Item[], of: (item: Item) => Fields): HomePage<Item> => {
    const found = isNarrowed(state) ? items.filter((item) => fits(of(item), state)) : items;
    return { ...pageOf(found, { wanted: state.pages[list], size: PAGE_SIZES[list] }), all: items.length };
  };
  return {
    state,
    waiting: page('waiting', requests.waiting, ofRequest),
    others: page('others', requests.others, ofRequest),
    runs: page('runs', runs, (run) => fieldsOf(run, [])),
    inProgress: runs.filter(({ endedAt }) => endedAt === null).length,
    decided: page('decided', inbox.decided, ofDecision),
    unsure: inbox.unsure,
    ...filters,
  };
}

/** What filters and the search look at. */
interface Fields {
  crew: string;
  /** Null if it isn't known any more. */
  channel: string | null;
  searched: () => string;
}

function fits({ crew, channel, searched }: Fields, state: HomeState): boolean {
  if (state.crew !== null && state.crew !== crew) return false;
  if (state.channel !== null && state.channel !== channel) return false;
  return state.words === '' || hasWords(searched(), state.words);
}

function pageOf<Item>(found: readonly Item[], { wanted, size }: { wanted: number; size: number }) {
  const count = Math.max(1, Math.ceil(found.length / size));
  const at = pageWithin(wanted, count);
  return { shown: found.slice(at * size, (at + 1) * size), at, count, found: found.length };
}

/** The crews and channels of all lists. One inbox can hold ten thousand requests. */
export function filtersOf(inbox: PersonalInbox, runs: readonly HomeRun[]): Filters {
  const [crews, channels] = [new Set<string>(), new Set<string>()];
  const add = ({ crew, channel }: Pick<OpenRun, 'crew' | 'channel'>) => {
    crews.add(crew);
    channels.add(channel);
  };
  for (const { request } of inbox.waiting) add(request.run);
  for (const { run } of inbox.waitingForOthers) add(run);
  for (const run of runs) add(run);
  for (const { crew } of inbox.decided) crews.add(crew);
  return { crews: sorted(crews), channels: sorted(channels) };
}

function sorted(names: ReadonlySet<string>): string[] {
  return [...names].sort((one, other) => one.localeCompare(other));
}

/** Inputs can be megabytes; what people remember of them stands at the beginning. */
const MOST_SEARCHED = 2_000;

/** Whether a text has all of the words, in any case and with or without accents. */
function hasWords(text: string, words: string): boolean {
  const searched = folded(text);
  return folded(words)
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whatever of a run can be searched. */
function searchedOfRun({ crew, starter, inputs }: Pick<OpenRun, 'crew' | 'starter' | 'inputs'>): string {
  const values = Object.values(inputs).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [crew, starter?.name ?? '', ...values.map((value) => value.slice(0, MOST_SEARCHED))].join('\n');
}
