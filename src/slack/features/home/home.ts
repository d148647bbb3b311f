// Finds everything that a person's Home tab shows at one moment. `FollowedHome` publishes it.
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
import { type Execution, startedBy, threadTsOf } from '../../../core/state/execution.ts';
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

interface Home {
  /** Changes with the content. */
  fingerprint: string;
  /** Returns the view, and plainer ones in case Slack refuses it. Throws `StoreUnavailable`. */
  views(): Promise<HomeView[]>;
}

/** Throws `StoreUnavailable`. */
export type FindHome = (personId: string, metadata: string) => Promise<Home>;

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

/** Finds what concerns a person. Names and texts come only with `views()`, because most of the time nothing has changed. */
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
): Promise<Home> {
  const [inbox, chosen] = await Promise.all([ports.inbox.of(personId), ports.personSettings.find(personId)]);
  const [say, now, state] = [ports.sayings.in(language), Date.now(), readState(metadata)];
  const settings = settingsLine(chosen, now, { name: storedName, say });
  const runs = await findRuns(inbox.runs);
  const filters = filtersOf(inbox, runs);
  const [names, last, name] = await Promise.all([
    ports.channelNames.find(filters.channels),
    findLastDecision(ports, state.last, { personId, now }),
    state.words === '' ? storedName : findNames(ports, startersIn(inbox)),
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
  view: Pick<HomeDetails, 'personId' | 'settings' | 'channelName' | 'now' | 'say'>,
): Promise<HomeDetails> {
  const { identity, rulesOf } = ports;
  const outputs = model.waiting.shown.map(
    async ({ run, output }) => [output.hash, await ports.outputs.get(run.ref, output.hash)] as const,
  );
  const [entries, name] = await Promise.all([Promise.all(outputs), findNames(ports, peopleIn(model))]);
  const texts = new Map(entries);
  return {
    ...view,
    name,
    textOf: ({ output }) => texts.get(output.hash) ?? null,
    policiesOf: ({ run, ...request }) => policiesOfListed(rulesOf(run.crew).policy, askedOf(run, request)),
    linkTo: (channel, ts, threadTs) => (ts === null ? null : permalink(identity, channel, ts, threadTs)),
  };
}

/** Returns the name that a person had when they acted. */
const storedName: NameOf = ({ name }) => name;

/** A person waits, so stored names do if Slack is slow. */
function findNames({ namesOf }: HomePorts, people: Parameters<NamesOf>): Promise<NameOf> {
  return soon(PATIENCE_MS, namesOf(...people), storedName);
}

function peopleIn({ waiting, others, runs, decided }: HomeModel): Parameters<NamesOf> {
  const requests = [...waiting.shown, ...others.shown];
  return [
    ...requests.flatMap(({ run, handedOver }) => [run.starter, ...handedOver.map(({ by }) => by)]),
    ...runs.shown.map(({ starter }) => starter),
    ...decided.shown.flatMap(({ by, record }) => [record?.starter, ...by.map((id) => ({ id, name: id }))]),
  ];
}

/** Returns a person's runs as the list shows them. Throws `StoreUnavailable`. */
type FindRuns = (runs: readonly OwnRun[]) => Promise<HomeRun[]>;

/** Each ended run is a record to be read, so the list has only the latest. */
const MOST_ENDED = 15;
const MOST_CACHED = 5_000;
const RECENT_MS = 60_000;

/** Ended runs don't change any more, so each is read once. */
function createFindRuns(store: Pick<ExecutionStore, 'load'>): FindRuns {
  const cache = new LRUCache<string, { run: HomeRun | null }>({ max: MOST_CACHED });

  const findEnded = async ({ ref, endedAt }: EndedRun): Promise<HomeRun | null> => {
    const key = `${ref} ${endedAt}`;
    const cached = cache.get(key);
    if (cached) return cached.run;
    const record = await store.load(ref, { mostAgeMs: RECENT_MS });
    const run = record && runOf(record.execution, endedAt);
    cache.set(key, { run });
    return run;
  };

  return async (runs) => {
    const open = runs.flatMap((each) => (each.kind === 'open' ? [{ ...each.run, endedAt: null }] : []));
    const ended = runs.flatMap((each) => (each.kind === 'ended' ? [each.ended] : []));
    const stored = await Promise.all(ended.slice(0, MOST_ENDED).map(findEnded));
    return [...open, ...stored.filter((run) => run !== null)];
  };
}

function runOf(execution: Execution, endedAt: number): HomeRun {
  const { ref, crew, channel, inputs, createdAt } = execution;
  const run = { ref, crew, channel, ...startedBy(execution), inputs, createdAt, endedAt };
  return { ...run, state: runState(rootModel(execution)), rootTs: threadTsOf(execution) };
}
