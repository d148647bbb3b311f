import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Crew } from '../../core/crew.ts';
import type { ActivityLog, CrewInputs, ExecutionStore, OutputStore } from '../../core/ports.ts';
import type { Identity } from '../api/identity.ts';
import type { NamesOf, People } from '../api/users.ts';
import type { PrivateAnswers } from './private-answers.ts';

/** What the listeners work with. */
export interface ListenerContext {
  store: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  crewInputs: CrewInputs;
  /** The reference of an execution that a form or command starts: the same for one that arrives twice. */
  createRef: (seed: { viewId: string; attempt: number } | { triggerId: string }) => string;
  /** An execution was just changed here: what it owes is done at once. */
  wake: (ref: string) => void;
  /** For what somebody waits for in front of a screen. */
  client: WebClient;
  answers: PrivateAnswers;
  identity: Identity;
  people: People;
  namesOf: NamesOf;
  log: Logger;
}
