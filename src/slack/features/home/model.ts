// Filters, searches and pages what concerns a person into the lists of their Home tab.
import type { PersonalInbox } from '../../../core/inbox/inbox.ts';
import type { OpenRequest, OpenRun, PastDecision } from '../../../core/inbox/snapshot.ts';
import type { PossibleRules } from '../../../core/policy/in-force.ts';
import type { Person } from '../../../core/state/request.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { pageOf } from '../../ui/modal.ts';
import type { NameOf } from '../../ui/person.ts';
import type { LastDecision } from './last-decision.ts';
import type { Selection, TickedRequest } from './selection.ts';
import { type HomeState, isFiltered, type ListName } from './state.ts';

/** A run, in progress or ended. */
export interface HomeRun extends OpenRun {
  /** Null while the run is in progress. */
  endedAt: Millis | null;
}

/** One page of a list. `at` counts from 0. */
export interface HomePage<Item> {
  shown: readonly Item[];
  at: number;
  count: number;
  /** Number of items on all pages that match the filters and the search. */
  found: number;
  /** Number of items without filters. */
  all: number;
}

export interface HomeModel extends Filters {
  /** The selection in it has only requests that still wait, with the text with which they were selected. */
  state: HomeState;
  waiting: HomePage<OpenRequest>;
  /** Selected requests, in the order of the selection. */
  selected: readonly OpenRequest[];
  /** Number of selected requests that others have decided since, or that ask about another text now. */
  dropped: number;
  last: LastDecision | null;
  others: HomePage<OpenRequest>;
  runs: HomePage<HomeRun>;
  /** Number of runs that haven't ended, without filters. */
  inProgress: number;
  decided: HomePage<PastDecision>;
  unsure: number;
}

export interface HomeDetails {
  personId: string;
  /** Returns the text of a request. Null if it is no longer stored, undefined if it isn't to be shown. */
  textOf: (request: OpenRequest) => string | null | undefined;
  /** Returns the rules that may apply to a request. None while its crew isn't configured. */
  policiesOf: (request: OpenRequest) => readonly PossibleRules[];
  name: NameOf;
  now: Millis;
  /** One line about the person's notification settings. Escaped mrkdwn. */
  settings: string;
  /** Returns a channel's name without #, or its id if Slack can't tell. */
  channelName: (channel: string) => string;
  /** Returns the address of a message. Null if it isn't posted. */
  linkTo: (channel: string, ts: string | null, threadTs: string | null) => string | null;
  say: Say;
}

interface Filters {
  crews: readonly string[];
  channels: readonly string[];
}

interface About extends Pick<HomeModel, 'state' | 'last'>, Pick<HomeDetails, 'personId' | 'channelName' | 'name'> {
  runs: readonly HomeRun[];
  filters: Filters;
}

/** All lists together fit into one view. */
const PAGE_SIZES: Record<ListName, number> = { waiting: 10, others: 4, runs: 4, decided: 5 };

export function homeModel(inbox: PersonalInbox, about: About): HomeModel {
  const { state: seen, personId, runs, filters, last, channelName, name } = about;
  const waiting = inbox.waiting.map(({ request }) => request);
  const { ticked, dropped } = stillSelected(seen, inbox, personId);
  const state = { ...seen, ticked };
  const fieldsOf = (run: Searchable, more: string): Fields => ({
    crew: run.crew,
    channel: run.channel,
    searched: () => [more, run.channel && channelName(run.channel), ...searchedOf(run, name)].join('\n'),
  });
  const ofRequest = ({ run, taskName, about }: OpenRequest) => fieldsOf(run, `${taskName ?? ''}\n${about}`);
  const ofDecision = ({ crew, task, record }: PastDecision) =>
    fieldsOf({ ...UNKNOWN_RUN, ...record, crew }, `${task}\n${record?.about ?? ''}`);
  const page = <Item>(list: ListName, items: readonly Item[], of: (item: Item) => Fields): HomePage<Item> => {
    const matches = isFiltered(state) ? items.filter((item) => fits(of(item), state)) : items;
    const slice = pageOf(matches, { wanted: state.pages[list], size: PAGE_SIZES[list] });
    return { ...slice, found: matches.length, all: items.length };
  };
  return {
    state,
    selected: ticked.flatMap((each) => waiting.find((request) => isOf(each, request.run.ref, request)) ?? []),
    dropped,
    last,
    waiting: page('waiting', waiting, ofRequest),
    others: page('others', inbox.waitingForOthers, ofRequest),
    runs: page('runs', runs, (run) => fieldsOf(run, '')),
    inProgress: runs.filter(({ endedAt }) => endedAt === null).length,
    decided: page('decided', inbox.decided, ofDecision),
    unsure: inbox.unsure,
    ...filters,
  };
}

interface Fields {
  crew: string;
  /** Null if the channel isn't known any more. */
  channel: string | null;
  searched: () => string;
}

function fits({ crew, channel, searched }: Fields, state: HomeState): boolean {
  if (state.crew !== null && state.crew !== crew) return false;
  if (state.channel !== null && state.channel !== channel) return false;
  return state.words === '' || hasWords(searched(), state.words);
}

/** Returns the crews and channels of all lists. One inbox can hold ten thousand requests. */
export function filtersOf(inbox: PersonalInbox, runs: readonly HomeRun[]): Filters {
  const all = [
    ...inbox.waiting.map(({ request }) => request.run),
    ...inbox.waitingForOthers.map(({ run }) => run),
    ...runs,
    ...inbox.decided.map(({ crew, record }) => ({ crew, channel: record?.channel })),
  ];
  const channels = all.flatMap(({ channel }) => channel ?? []);
  return { crews: sorted(all.map(({ crew }) => crew)), channels: sorted(channels) };
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort((one, other) => one.localeCompare(other));
}

/** Inputs can be megabytes, but people remember their beginning. */
const MOST_SEARCHED = 2_000;

/** Returns true if a text has all of the words, in any case and with or without accents. */
function hasWords(text: string, words: string): boolean {
  const searched = folded(text);
  return folded(words)
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

interface Searchable extends Pick<OpenRun, 'crew' | 'starter' | 'inputs'> {
  channel: string | null;
}

/** Stands for the run of a decision whose record has expired. */
const UNKNOWN_RUN = { channel: null, starter: null, inputs: {} };

function searchedOf({ crew, starter, inputs }: Searchable, name: NameOf): string[] {
  const values = Object.values(inputs).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [
    crew,
    ...(starter ? [starter.name, name(starter)] : []),
    ...values.map((each) => each.slice(0, MOST_SEARCHED)),
  ];
}

/** A search looks up the names of so many people. */
const MOST_STARTERS = 200;

/** Returns the people who started the runs that a search looks through. */
export function startersIn(inbox: PersonalInbox): Person[] {
  const requests = inbox.waiting.map(({ request }) => request);
  const starters = [
    ...[...requests, ...inbox.waitingForOthers].map(({ run }) => run.starter),
    ...inbox.decided.map(({ record }) => record?.starter ?? null),
  ].filter((starter) => starter !== null);
  return [...new Map(starters.map((starter) => [starter.id, starter])).values()].slice(0, MOST_STARTERS);
}

/** Returns the selected requests that still wait with the same text. Requests that the person decided themselves aren't `dropped`. */
function stillSelected(
  { ticked }: Selection,
  { waiting, waitingForOthers, decided }: PersonalInbox,
  personId: string,
): { ticked: TickedRequest[]; dropped: number } {
  const isOpen = (each: TickedRequest) =>
    waiting.some(({ request }) => isOf(each, request.run.ref, request) && request.output.hash === each.hash);
  const isOwn = (each: TickedRequest) =>
    waitingForOthers.some((request) => isOf(each, request.run.ref, request) && hasVoted(request, personId)) ||
    decided.some((decision) => isOf(each, decision.ref, decision) && decision.by.includes(personId));
  const gone = ticked.filter((each) => !isOpen(each));
  return { ticked: ticked.filter(isOpen), dropped: gone.filter((each) => !isOwn(each)).length };
}

function hasVoted({ voters, votersBefore }: OpenRequest, personId: string): boolean {
  return voters.includes(personId) || votersBefore.includes(personId);
}

function isOf(each: TickedRequest, ref: string, { approvalId }: { approvalId: string }): boolean {
  return each.ref === ref && each.approvalId === approvalId;
}
