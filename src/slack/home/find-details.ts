import { setTimeout as delay } from 'node:timers/promises';
import { policyFor } from '../../core/approval/policy/policy.ts';
import type { RulesOf } from '../../core/crew.ts';
import type { OpenRequest } from '../../core/inbox/snapshot.ts';
import type { ExecutionStore, OutputStore } from '../../core/ports.ts';
import { type Identity, permalink } from '../api/identity.ts';
import type { NamesOf } from '../api/users.ts';
import type { Say } from '../language/say.ts';
import type { NameOf } from '../ui/person.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';

export interface DetailPorts {
  store: Pick<ExecutionStore, 'load'>;
  outputs: Pick<OutputStore, 'get'>;
  rulesOf: RulesOf;
  identity: Identity;
  namesOf: NamesOf;
}

const PATIENCE_MS = 500;

interface About {
  model: HomeModel;
  personId: string;
  settings: string;
  channelName: (id: string) => string;
  say: Say;
}

/** What it takes to show a model. Throws `StoreUnavailable`. */
export async function findDetails(ports: DetailPorts, about: About): Promise<HomeDetails> {
  const { model, personId, settings, channelName, say } = about;
  const { identity, rulesOf } = ports;
  const [texts, name] = await Promise.all([findTexts(ports, model.waiting.shown), findNames(ports, model)]);
  return {
    ...{ personId, settings, channelName, name, say },
    textOf: ({ output }) => texts.get(output.hash) ?? null,
    quorumOf: ({ run, ...task }) => policyFor(rulesOf(run.crew).policy, task)?.quorum ?? 1,
    linkTo: (channel, ts, threadTs) => (ts === null ? null : permalink(identity, channel, ts, threadTs)),
  };
}

async function findTexts(
  { outputs }: DetailPorts,
  requests: readonly OpenRequest[],
): Promise<ReadonlyMap<string, string | null>> {
  const found = requests.map(
    async ({ run, output }) => [output.hash, await outputs.get(run.ref, output.hash)] as const,
  );
  return new Map(await Promise.all(found));
}

/** As they were when they acted, if Slack is slow: a person waits. */
function findNames({ namesOf }: DetailPorts, model: HomeModel): Promise<NameOf> {
  const asTheyWere: NameOf = ({ name }) => name;
  return Promise.race([namesOf(...peopleIn(model)), delay(PATIENCE_MS, asTheyWere, { ref: false })]);
}

function peopleIn({ waiting, others, decided }: HomeModel) {
  const requests = [...waiting.shown, ...others.shown];
  return [
    ...requests.flatMap(({ run, handedOver }) => [run.starter, ...handedOver.map(({ by }) => by)]),
    ...decided.shown.flatMap(({ by }) => by.map((id) => ({ id, name: id }))),
  ];
}
