import type { RulesOf } from '../crew.ts';
import { groupBy } from '../group-by.ts';
import type { EndedRun } from '../history/ended-run.ts';
import { type Classified, classify, type Judged, type NeededFacts, neededFacts } from './request-classes.ts';
import type { OpenRequest, OpenRun, PastDecision, Snapshot } from './snapshot.ts';

/** A snapshot prepared for many people. */
export interface ClassifiedSnapshot {
  requests: Classified<OpenRequest>;
  decisions: Classified<PastDecision>;
  /** By the ids of those who started them. */
  runsOf: ReadonlyMap<string, readonly OpenRun[]>;
  endedOf: ReadonlyMap<string, readonly EndedRun[]>;
  neededFacts: NeededFacts;
}

export function classifySnapshot(snapshot: Snapshot, rulesOf: RulesOf): ClassifiedSnapshot {
  const requests = classify(snapshot.requests, judgedRequest, rulesOf);
  const decisions = classify(snapshot.decisions, judgedDecision, rulesOf);
  return {
    ...{ requests, decisions, neededFacts: neededFacts([...requests.classes, ...decisions.classes]) },
    runsOf: byPerson(snapshot.runs, ({ starter }) => starter?.id ?? null),
    endedOf: byPerson(snapshot.ended, ({ startedBy }) => startedBy),
  };
}

function judgedRequest({ run, taskId, taskName, isEscalated, handedOver }: OpenRequest): Judged {
  const { crew, channel, starter } = run;
  return { crew, channel, starterId: starter?.id ?? null, taskId, taskName, isEscalated, handedOver };
}

function judgedDecision({ crew, record }: PastDecision): Judged | null {
  return record && { crew, ...record };
}

function byPerson<Item>(items: readonly Item[], personOf: (item: Item) => string | null): Map<string, Item[]> {
  const groups = groupBy(items, (item) => personOf(item) ?? '');
  groups.delete('');
  return groups;
}
