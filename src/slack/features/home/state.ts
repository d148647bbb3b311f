// The state of a person's Home tab (filters, pages, selection), which its view and its buttons carry.
import { z } from 'zod';
import { codec, pageNumber, parse } from '../../ui/button-value.ts';
import { cutLine } from '../../ui/text/escape.ts';
import { tickedRequests, tuplesOf } from './selection.ts';

const LISTS = ['waiting', 'others', 'runs', 'decided'] as const;
export type ListName = (typeof LISTS)[number];

export type HomeState = z.infer<typeof STATE>;

const page = z.number().int().min(0).max(100_000).catch(0);
const STATE = z.object({
  /** Filters by crew and channel. Null for all. */
  crew: z.string().nullable().catch(null),
  channel: z.string().nullable().catch(null),
  /** Words of the search. Empty for no search. */
  words: z.string().catch(''),
  /** Counted from 0. */
  pages: z.object({ waiting: page, others: page, runs: page, decided: page }).catch(() => FIRST_PAGES),
  ticked: tickedRequests.catch([]),
  drawn: page,
  /** The person's last decision. Null if there is none. */
  last: z.object({ ref: z.string(), approvalId: z.string(), at: z.number() }).nullable().catch(null),
});

const FIRST_PAGES = { waiting: 0, others: 0, runs: 0, decided: 0 };

/** Longer words would find nothing. */
export const SEARCH_LIMIT = 100;
const NAME_LIMIT = 75;

/** Cuts names, so that the state fits the metadata of a view. */
export function writeState(state: HomeState): string {
  const { crew, channel, words, ticked } = state;
  const short = (text: string | null) => text && cutLine(text, NAME_LIMIT);
  const cut = { crew: short(crew), channel: short(channel), words: cutLine(words, SEARCH_LIMIT) };
  return JSON.stringify({ ...state, ...cut, ticked: tuplesOf(ticked) });
}

/** Returns a state without filters if we didn't write the metadata. */
export function readState(metadata: string | undefined): HomeState {
  return parse(STATE, metadata) ?? STATE.parse({});
}

/** Filters the lists, which then begin with their first pages. The selection stays. */
export function withFilters(state: HomeState, to: Partial<Pick<HomeState, 'crew' | 'channel' | 'words'>>): HomeState {
  return { ...state, ...to, pages: FIRST_PAGES };
}

export function isFiltered({ crew, channel, words }: HomeState): boolean {
  return crew !== null || channel !== null || words !== '';
}

export const listPage = codec(z.object({ list: z.enum(LISTS), page: pageNumber }));
