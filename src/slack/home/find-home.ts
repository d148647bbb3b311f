import type { HomeView } from '@slack/types';
import type { PersonSettingsStore } from '../../core/inbox/person-settings.ts';
import type { Directory } from '../../core/ports.ts';
import { fingerprint } from '../../core/text.ts';
import type { ChannelNames } from '../api/channels.ts';
import type { People } from '../api/users.ts';
import type { Inbox } from '../directory/inbox.ts';
import { settingsLine } from '../features/settings/settings-line.ts';
import { sayIn } from '../language/say.ts';
import { bareHome } from './bare-home.ts';
import { type DetailPorts, findDetails } from './find-details.ts';
import { createFindRuns, type FindRuns } from './find-runs.ts';
import { filtersOf, homeModel } from './home-model.ts';
import { readState } from './home-state.ts';
import { homeView } from './home-view.ts';

/** What a person's Home shows at one moment. */
interface FoundHome {
  /** Changes with what is shown. */
  fingerprint: string;
  /** As designed, then ever more plainly, for a Slack that doesn't take what is in it. Throws `StoreUnavailable`. */
  views(): Promise<HomeView[]>;
}

/** Throws `StoreUnavailable`. */
export type FindHome = (personId: string, metadata: string) => Promise<FoundHome>;

interface HomePorts extends DetailPorts {
  inbox: Inbox;
  directory: Pick<Directory, 'account'>;
  people: Pick<People, 'languageOf'>;
  channelNames: ChannelNames;
  personSettings: Pick<PersonSettingsStore, 'find'>;
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
    if (why !== null) return { fingerprint: why, views: async () => [bareHome(why, sayIn(language), metadata)] };
    return findForMember({ ...ports, findRuns }, { personId, metadata, language });
  };
}

async function findForMember(
  { findRuns, ...ports }: HomePorts & { findRuns: FindRuns },
  { personId, metadata, language }: { personId: string; metadata: string; language: Parameters<typeof sayIn>[0] },
): Promise<FoundHome> {
  const [inbox, chosen] = await Promise.all([ports.inbox.of(personId), ports.personSettings.find(personId)]);
  const say = sayIn(language);
  const settings = settingsLine(chosen, Date.now(), { name: ({ name }) => name, say });
  const runs = await findRuns(inbox.runs);
  const filters = filtersOf(inbox, runs);
  const names = await ports.channelNames(filters.channels);
  const channelName = (id: string) => names.get(id) ?? id;
  const model = homeModel(inbox, { state: readState(metadata), runs, filters, channelName });
  return {
    fingerprint: fingerprint([model, model.channels.map(channelName), settings, language]),
    views: async () => {
      const details = await findDetails(ports, { model, personId, settings, channelName, say });
      return [homeView(model, details), homeView(model, { ...details, textOf: () => undefined })];
    },
  };
}
