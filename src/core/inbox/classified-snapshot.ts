import type { RulesOf } from '../crew.ts';
import { groupBy } from '../group-by.ts';
import type { EndedRun } from '../history/ended-run.ts';
import { type Classified, classify, type Judged, type NeededFacts, neededFacts } from './request-classes.ts';
import type { OpenRequest, OpenRun, PastDecision, Snapshot } from './snapshot.ts';

/** A snapshot prepared for many people. */
export interface ClassifiedSnapshot {
  requests: Classified<OpenRequest>;
  /** The places of the requests that a person has voted for, by their id. */
  votedFor: PlacesByKey;
  decisions: Classified<PastDecision>;
  /** The places of decisions by the ids of those whose verdict it was, and by the refs of the runs. */
  decidedBy: PlacesByKey;
  decidedOn: PlacesByKey;
  /** By the ids of those who started them. */
  runsOf: ReadonlyMap<string, readonly OpenRun[]>;
  endedOf: ReadonlyMap<string, readonly EndedRun[]>;
  neededFacts: NeededFacts;
}

type PlacesByKey = ReadonlyMap<string, readonly number[]>;

export function classifySnapshot(snapshot: Snapshot, rulesOf: RulesOf): ClassifiedSnapshot {
  const requests = classify(snapshot.requests, judgedRequest, rulesOf);
  const decisions = classify(snapshot.decisions, judgedDecision, rulesOf);
  return {
    ...{ requests, decisions, neededFacts: neededFacts([...requests.classes, ...decisions.classes]) },
    votedFor: placesBy(snapshot.requests, ({ voters }) => voters),
    decidedBy: placesBy(snapshot.decisions, ({ by }) => by),
    decidedOn: placesBy(snapshot.decisions, ({ ref }) => [ref]),
    runsOf: byPerson(snapshot.runs, ({ starter }) => starter?.id ?? null),
    endedOf: byPerson(snapshot.ended, ({ startedBy }) => startedBy),
  };
}

function judgedRequest({ run, taskId, taskName, isEscalated, handedOver }: OpenRequest): Judged {
  const { crew, channel, starter } = run;
  return { crew, channel, starterId: starter?.id ?? null, taskId, taskName, isEscalated, handedOver };
}

function judgedDecision({ crew, record }: PastDecision): Judged | null {
  if (!record) return null;
  const { channel, starterId, taskId, taskName, isEscalated, handedOver } = record;
  return { crew, channel, starterId, taskId, taskName, isEscalated, handedOver };
}

function placesBy<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  items.forEach((item, place) => {
    for (const key of keysOf(item)) {
      const found = places.get(key);
      if (found) found.push(place);
      else places.set(key, [place]);
    }
  });
  return places;
}

function byPerson<Item>(items: readonly Item[], personOf: (item: Item) => string | null): Map<string, Item[]> {
  const groups = groupBy(items, (item) => personOf(item) ?? '');
  groups.delete('');
  return groups;
}
