import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Crew, RulesOf } from '../../core/crew.ts';
import type {
  ActivityLog,
  CrewInputs,
  Directory,
  ExecutionStore,
  OutputStore,
  TokenCheck,
  UserTokens,
} from '../../core/ports.ts';
import type { Identity } from '../api/identity.ts';
import type { Respond } from '../api/response-url.ts';
import type { NamesOf, People } from '../api/users.ts';

/** What the listeners work with. */
export interface ListenerContext {
  store: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  rulesOf: RulesOf;
  crewInputs: CrewInputs;
  tokenCheck: TokenCheck;
  userTokens: UserTokens;
  /** The ref of an execution that a form or command starts: the same one if the request is delivered twice. */
  createRef: (seed: { viewId: string; attempt: number } | { triggerId: string }) => string;
  /** A listener has just changed this execution: its due actions run at once. */
  wake: (ref: string) => void;
  /** The interactive client, for calls that a person is waiting for. */
  client: WebClient;
  respond: Respond;
  identity: Identity;
  people: People;
  directory: Directory;
  namesOf: NamesOf;
  log: Logger;
}
