// What a person's Home shows at one moment: what concerns them, and what it takes to show it.

import type { HomeView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import type { EndedRun } from '../../../core/inbox/history.ts';
import type { OwnRun } from '../../../core/inbox/inbox.ts';
import type { PersonSettingsStore } from '../../../core/inbox/person-settings.ts';
import { askedOf } from '../../../core/inbox/snapshot.ts';
import { rootModel, runState } from '../../../core/messages/view-models.ts';
import type { Language, RulesOf } from '../../../core/policy/crew.ts';
import { policiesOfListed } from '../../../core/policy/rules.ts';
import type { Directory, ExecutionStore, OutputStore } from '../../../core/ports.ts';
import { startedBy, threadTsOf } from '../../../core/state/execution.ts';
import { fingerprint } from '../../../core/values/text.ts';
import type { ChannelNames } from '../../api/channels.ts';
import { type Identity, permalink } from '../../api/identity.ts';
import { soon } from '../../api/soon.ts';
import type { NamesOf, People } from '../../api/users.ts';
import type { Inbox } from '../../directory/inbox.ts';
import type { Sayings } from '../../language/say.ts';
import type { NameOf } from '../../ui/person.ts';
import { settingsLine } from '../settings/settings-line.ts';
import { findLastDecision } from './last-decision.ts';
import { filtersOf, type HomeDetails, type HomeModel, type HomeRun, homeModel, startersIn } from './model.ts';
import { timesOf } from './request-lines.ts';
import { readState } from './state.ts';
import { bareHome, homeView } from './view.ts';

interface FoundHome {
  /** Changes with what is shown. */
  fingerprint: string;
  /** As designed, then ever more plainly, for a Slack that doesn't take what is in it. Throws `StoreUnavailable`. */
  views(): Promise<HomeView[]>;
}

/** Throws `StoreUnavailable`. */
export type FindHome = (personId: string, metadata: string) => Promise<FoundHome>;

interface HomePorts {
  store: Pick<ExecutionStore, 'load'>;
  outputs: Pick<OutputStore, 'get'>;
  rulesOf: RulesOf;
  identity: Identity;
  namesOf: NamesOf;
  inbox: Inbox;
  directory: Pick<Directory, 'account'>;
  people: Pick<People, 'languageOf'>;
  channelNames: Pick<ChannelNames, 'find'>;
  personSettings: Pick<PersonSettingsStore, 'find'>;
  sayings: Sayings;
}

/** Finds what concerns a person, and only then what it takes to show it: most of the time nothing has changed. */
export function createFindHome(ports: HomePorts): FindHome {
  const findRuns = createFindRuns(ports.store);
  return async (personId, metadata) => {
    const [account, language] = await Promise.all([
      ports.directory.account(personId),
      ports.people.languageOf(personId),
    ]);
    const why = account === null ? 'who-are-you' : account.isStranger || account.isBot ? 'elsewhere' : null;
    if (why !== null)
      return { fingerprint: why, views: async () => [bareHome(why, ports.sayings.in(language), metadata)] };
    return findForMember({ ...ports, findRuns }, { personId, metadata, language });
  };
}

async function findForMember(
  { findRuns, ...ports }: HomePorts & { findRuns: FindRuns },
  { personId, metadata, language }: { personId: string; metadata: string; language: Language },
): Promise<FoundHome> {
  const [inbox, chosen] = await Promise.all([ports.inbox.of(personId), ports.personSettings.find(personId)]);
  const [say, now, state] = [ports.sayings.in(language), Date.now(), readState(metadata)];
  const settings = settingsLine(chosen, now, { name: asTheyWere, say });
  const runs = await findRuns(inbox.runs);
  const filters = filtersOf(inbox, runs);
  const [names, last, name] = await Promise.all([
    ports.channelNames.find(filters.channels),
    findLastDecision(ports, state.last, { personId, now }),
    state.words === '' ? asTheyWere : findNames(ports, startersIn(inbox)),
  ]);
  const channelName = (id: string) => names.get(id) ?? id;
  const model = homeModel(inbox, { state, personId, runs, filters, last, channelName, name });
  const ages = [...model.waiting.shown, ...model.others.shown].map((request) => timesOf(request, now, say));
  return {
    fingerprint: fingerprint([model, model.channels.map(channelName), ages, settings, language]),
    views: async () => {
      const details = await findDetails(ports, model, { personId, settings, channelName, now, say });
      return [homeView(model, details), homeView(model, { ...details, textOf: () => undefined })];
    },
  };
}

const PATIENCE_MS = 500;

/** @throws {StoreUnavailable} */
async function findDetails(
  ports: HomePorts,
  model: HomeModel,
  known: Pick<HomeDetails, 'personId' | 'settings' | 'channelName' | 'now' | 'say'>,
): Promise<HomeDetails> {
  const { identity, rulesOf } = ports;
  const outputs = model.waiting.shown.map(
    async ({ run, output }) => [output.hash, await ports.outputs.get(run.ref, output.hash)] as const,
  );
  const [found, name] = await Promise.all([Promise.all(outputs), findNames(ports, peopleIn(model))]);
  const texts = new Map(found);
  return {
    ...known,
    name,
    textOf: ({ output }) => texts.get(output.hash) ?? null,
    policiesOf: ({ run, ...request }) => policiesOfListed(rulesOf(run.crew).policy, askedOf(run, request)),
    linkTo: (channel, ts, threadTs) => (ts === null ? null : permalink(identity, channel, ts, threadTs)),
  };
}

const asTheyWere: NameOf = ({ name }) => name;

/** As they were when they acted, if Slack is slow: a person waits. */
function findNames({ namesOf }: HomePorts, people: Parameters<NamesOf>): Promise<NameOf> {
  return soon(PATIENCE_MS, namesOf(...people), asTheyWere);
}

function peopleIn({ waiting, others, runs, decided }: HomeModel): Parameters<NamesOf> {
  const requests = [...waiting.shown, ...others.shown];
  return [
    ...requests.flatMap(({ run, handedOver }) => [run.starter, ...handedOver.map(({ by }) => by)]),
    ...runs.shown.map(({ starter }) => starter),
    ...decided.shown.flatMap(({ by, record }) => [record?.starter, ...by.map((id) => ({ id, name: id }))]),
  ];
}

/** A person's runs with what a list shows of them. Throws `StoreUnavailable`. */
type FindRuns = (runs: readonly OwnRun[]) => Promise<HomeRun[]>;

/** Of those that have ended, only the latest are shown: each is a record to be read. */
const MOST_ENDED = 15;
const MOST_KEPT = 5_000;
const RECENT_MS = 60_000;

/** Runs that have ended don't change any more, so that each is read once. */
function createFindRuns(store: Pick<ExecutionStore, 'load'>): FindRuns {
  const kept = new LRUCache<string, { run: HomeRun | null }>({ max: MOST_KEPT });

  const findEnded = async ({ ref, endedAt }: EndedRun): Promise<HomeRun | null> => {
    const key = `${ref} ${endedAt}`;
    const known = kept.get(key);
    if (known) return known.run;
    const found = await store.load(ref, { mostAgeMs: RECENT_MS });
    const run = found && runOf(found.execution, endedAt);
    kept.set(key, { run });
    return run;
  };

  return async (runs) => {
    const open = runs.flatMap((each) => (each.kind === 'open' ? [{ ...each.run, endedAt: null }] : []));
    const ended = runs.flatMap((each) => (each.kind === 'ended' ? [each.ended] : []));
    const found = await Promise.all(ended.slice(0, MOST_ENDED).map(findEnded));
    return [...open, ...found.filter((run) => run !== null)];
  };
}

type Execution = NonNullable<Awaited<ReturnType<ExecutionStore['load']>>>['execution'];

function runOf(execution: Execution, endedAt: number): HomeRun {
  const { ref, crew, channel, inputs, createdAt } = execution;
  return {
    ref,
    crew,
    channel,
    state: runState(rootModel(execution)),
    ...startedBy(execution),
    inputs,
    createdAt,
    endedAt,
    rootTs: threadTsOf(execution),
  };
}
