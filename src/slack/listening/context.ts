// Listeners work with the services and the person in Bolt's context. Their types are here, too.
import type {
  BlockAction,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcut,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewResponseAction,
  ViewSubmitAction,
} from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Ask } from '../../core/execution/events.ts';
import type { Absences, PersonSettingsStore } from '../../core/inbox/person-settings.ts';
import type { Overview } from '../../core/inbox/snapshot.ts';
import type { Entry, LedgerFacts } from '../../core/ledger/entry.ts';
import type { Crew, RulesOf } from '../../core/policy/crew.ts';
import type { PolicyConditions } from '../../core/policy/explained.ts';
import type { Denial } from '../../core/policy/permits.ts';
import type { Refusal } from '../../core/policy/refusal.ts';
import type {
  ActivityLog,
  ApprovalIntent,
  CrewInputs,
  ExecutionStore,
  GroupChanges,
  OutputStore,
  RecentFeedback,
  TokenCheck,
  UserTokens,
} from '../../core/ports.ts';
import type { Person } from '../../core/state/request.ts';
import type { Identity } from '../api/identity.ts';
import type { NamesOf, People } from '../api/users.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import type { Inbox } from '../directory/inbox.ts';
import type { Say, Sayings } from '../language/say.ts';
import type { AddToLog, LogFacts } from '../receivers/log-facts.ts';
import type { FindChange } from '../ui/comparison/find-change.ts';

/** A start that the crew's `starters` don't allow. */
export interface RefusedStart {
  crew: string;
  /** Id of the person. */
  by: string;
  reason: Denial['kind'];
  /** Id of the Slack request in which they tried. */
  requestId: string;
}

/** Ledger entries of a run, oldest first, and the conditions of the policies that they name. */
export interface RunEntries {
  entries: readonly Entry[];
  conditions: PolicyConditions;
}

/** Any other refused attempt. */
export interface RefusedAttempt extends Pick<RefusedStart, 'requestId'> {
  facts: LedgerFacts['refused'];
}

/** Bolt's `context` in our listeners. The middleware `provideContext` fills it. */
export interface ListenerContext extends Services {
  person: Person;
  /**
   * Returns true if Slack vouches that the person belongs to our workspace or organisation, and null if it can't tell. People of other
   * organisations can click in shared channels. Never rejects.
   */
  isMember: () => Promise<boolean | null>;
  /** Returns the words for private answers and modals, in the person's language. */
  say: () => Promise<Say>;
  /** Stays the same when Slack delivers the request again. Empty if it has no id. */
  requestId: string;
  /** Time by `performance.now()`. */
  receivedAt: number;
  /** Adds facts to the one log line of the request. */
  addToLog: AddToLog;
  isHandled: boolean;
}

export interface Services {
  /**
   * Client for calls that a person waits for. Bolt's own client adds the person's home workspace to each call, and the app of an
   * organisation may not be in it.
   */
  client: WebClient;
  /** Client for a view that one person may see in full. */
  unmaskedClient: WebClient;
  store: ExecutionStore;
  /** Texts of crews as people see them, with masked secrets. */
  outputs: OutputStore;
  fullOutputs: OutputStore;
  findChange: FindChange;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  rulesOf: RulesOf;
  crewInputs: CrewInputs;
  tokenCheck: TokenCheck;
  userTokens: UserTokens;
  recentFeedback: RecentFeedback;
  overview: Overview;
  personSettings: PersonSettingsStore;
  inbox: Inbox;
  absences: Absences;
  // Functions below that throw `StoreUnavailable` must run before `ack`, which then never happens.

  /** Asks people on behalf of a program or workflow, unless this ref has asked already. Throws `StoreUnavailable`. */
  ask: (question: Ask) => Promise<unknown>;
  /** Returns the ref of an execution to be started. The same request gets the same ref if Slack delivers it twice. */
  createRef: (seed: { viewId: string; attempt: number } | { triggerId: string } | { stepId: string }) => string;
  /** Puts a refused start into the crew's ledger, and counts repetitions within a minute. Throws `StoreUnavailable`. */
  recordRefusedStart: (refused: RefusedStart) => Promise<void>;
  /** Puts any other refused attempt into the run's ledger. Throws `StoreUnavailable`. */
  recordRefusal: (ref: string, refused: RefusedAttempt) => Promise<void>;
  /** Throws `StoreUnavailable`. */
  runEntries: (ref: string) => Promise<RunEntries>;
  /** Returns the address where the person signs in, so that their approval counts. Throws `StoreUnavailable`. */
  signInLink: (intent: ApprovalIntent) => Promise<{ url: string; id: string }>;
  /** Returns true if the person has connected a token of their own to the crew. Throws `StoreUnavailable`. */
  connectedTo: (crew: string, personId: string) => Promise<boolean>;
  /** Returns the id of the crew's own channel. Null if it has none. Throws what the client throws. */
  channelOf: (crew: string) => Promise<string | null>;
  /** Waits for something without counting the request as busy, so that other work doesn't wait with it. */
  aside: <Value>(wait: Promise<Value>) => Promise<Value>;
  /** Posts again what Slack refused in this channel, or in any for null. Throws `StoreUnavailable`. */
  retryIn: (channel: string | null) => Promise<void>;
  /** Notes that a channel has another id from now on. Throws `StoreUnavailable`. */
  moveChannel: (from: string, to: string) => Promise<void>;
  /** Returns the id that a channel has now. Throws `StoreUnavailable`. */
  latestChannel: (id: string) => Promise<string>;
  renameChannel: (id: string, name: string) => void;
  /** Checks whether the bot token still works. */
  checkToken: () => void;
  home: HomeTab;
  identity: Identity;
  sayings: Sayings;
  people: People;
  directory: SlackDirectory;
  groupChanges: GroupChanges;
  namesOf: NamesOf;
  log: Logger;
}

/** A listener stores what a person asked for before it calls `ack`. If it throws before, Slack shows the person an error. */
export type ActionListener = Middleware<SlackActionMiddlewareArgs<BlockAction>, ListenerContext>;
export type ViewListener = Middleware<SlackViewMiddlewareArgs<ViewSubmitAction>, ListenerContext>;
export type ShortcutListener = Middleware<SlackShortcutMiddlewareArgs<SlackShortcut>, ListenerContext>;
export type CommandListener = Middleware<SlackCommandMiddlewareArgs, ListenerContext>;
/** An event is acknowledged once its listener has resolved. If the listener rejects, Slack delivers the event again. */
export type EventListener<Type extends string> = Middleware<SlackEventMiddlewareArgs<Type>, ListenerContext>;
export type StepListener = EventListener<'function_executed'>;
export type HomeListener = EventListener<'app_home_opened'>;

export type Ack = () => Promise<void>;

/** Acknowledges a submitted modal with an answer. Without an answer, the modal closes. */
export type ViewAck = Parameters<ViewListener>[0]['ack'];
export type ViewAnswer = ViewResponseAction | undefined;

export type CommandArgs = Pick<Parameters<CommandListener>[0], 'ack' | 'command' | 'context' | 'respond'>;

export function refusalFacts(refusal: Refusal): Pick<LogFacts, 'refusal'> & { denial?: string } {
  return { refusal: refusal.kind, ...('denial' in refusal && { denial: refusal.denial.kind }) };
}

/** The Home tabs of people. No method throws. */
export interface HomeTab {
  /**
   * Shows a person their Home as it is now. `metadata`: that of the view that they see, which says what they look at. `change`: applies
   * what they want to look at instead, also to a change that they don't see yet.
   */
  show(personId: string, metadata: string, change?: (metadata: string) => string): Promise<void>;
  /** Refreshes the Home of a person who may be looking at it, because they have changed something of their own. */
  showAgain(personId: string): void;
}
