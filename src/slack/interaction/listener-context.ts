import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Person } from '../../core/approval/approval.ts';
import type { Denial } from '../../core/approval/policy/permits.ts';
import type { PolicyPlaces } from '../../core/approval/policy/places.ts';
import type { Crew, RulesOf } from '../../core/crew.ts';
import type { History } from '../../core/history.ts';
import type { Absences, PersonSettingsStore } from '../../core/inbox/person-settings.ts';
import type { Overview } from '../../core/inbox/snapshot.ts';
import type { LedgerFacts } from '../../core/ledger/event.ts';
import type {
  ActivityLog,
  CrewInputs,
  ExecutionStore,
  OutputStore,
  RecentFeedback,
  TokenCheck,
  UserTokens,
} from '../../core/ports.ts';
import type { Identity } from '../api/identity.ts';
import type { NamesOf, People } from '../api/users.ts';
import type { Inbox } from '../directory/inbox.ts';
import type { SlackDirectory } from '../directory/slack-directory.ts';
import type { Say } from '../language/say.ts';
import type { ChartSupport } from './chart-support.ts';
import type { HomeTab } from './home-tab.ts';
import type { AddToLog } from './log-facts.ts';

/** A start that the crew's `starters` don't allow. */
export interface RefusedStart {
  crew: string;
  /** The id of the person. */
  by: string;
  reason: Denial['kind'];
  /** Of the request in which they tried. */
  requestId: string;
}

/** Any other attempt that was refused. */
export interface RefusedAttempt {
  facts: LedgerFacts['refused'];
  /** Of the request in which they tried. */
  requestId: string;
}

/** What Bolt's `context` holds for our listeners, put there by `provideContext`. */
export interface ListenerContext extends Services {
  /** The client that Bolt made for this request, for calls that a person is waiting for. */
  client: WebClient;
  /** Who sent the request. */
  person: Person;
  /**
   * Whether Slack vouches that they belong to our workspace: people from other organisations see the messages of a shared
   * channel and can click in them. Asks Slack where the request doesn't say; never rejects.
   */
  isMember: () => Promise<boolean>;
  /** Words private answers and modals, in their language. */
  say: () => Promise<Say>;
  /** The same when Slack delivers the request again; empty if it has none. */
  requestId: string;
  /** When the request came in, by `performance.now()`. */
  receivedAt: number;
  /** Adds to what is logged of the request, in one line once it is answered. */
  addToLog: AddToLog;
  /** Whether one of our listeners answers it. */
  isHandled: boolean;
}

/** What listeners work with, the same for all requests. */
export interface Services {
  store: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  rulesOf: RulesOf;
  /** Where each crew's policy stands in the settings. */
  policyPlaces: ReadonlyMap<string, PolicyPlaces>;
  crewInputs: CrewInputs;
  tokenCheck: TokenCheck;
  userTokens: UserTokens;
  recentFeedback: RecentFeedback;
  history: History;
  overview: Overview;
  chartSupport: ChartSupport;
  personSettings: PersonSettingsStore;
  inbox: Inbox;
  absences: Absences;
  /** The ref of an execution that a form or command starts: the same one if the request is delivered twice. */
  createRef: (seed: { viewId: string; attempt: number } | { triggerId: string }) => string;
  /** Puts a refused start into the crew's own part of the ledger; one that is repeated within a minute is counted. Throws `StoreUnavailable`: don't ack then. */
  recordRefusedStart: (refused: RefusedStart) => Promise<void>;
  /** The same for a run's part of the ledger. */
  recordRefusal: (ref: string, refused: RefusedAttempt) => Promise<void>;
  /** Whether a person has connected a token of their own to a crew. Throws `StoreUnavailable`. */
  connectedTo: (crew: string, personId: string) => Promise<boolean>;
  /** The id of a crew's own channel; null if it has none. Throws what the client throws. */
  channelOf: (crew: string) => Promise<string | null>;
  /** For what a request waits for although other work doesn't have to wait with it. */
  aside: <Value>(wait: Promise<Value>) => Promise<Value>;
  /** A listener has just changed this execution: its due actions run at once. */
  wake: (ref: string) => void;
  /** Slack may take messages into this channel again. Throws `StoreUnavailable`: don't ack then. */
  retryIn: (channel: string) => Promise<void>;
  /** The bot token may not work any more. */
  checkToken: () => void;
  home: HomeTab;
  identity: Identity;
  people: People;
  directory: SlackDirectory;
  namesOf: NamesOf;
  log: Logger;
}
