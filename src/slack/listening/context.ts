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
import type { Denial } from '../../core/policy/evaluate.ts';
import type { PolicyConditions } from '../../core/policy/explained.ts';
import type { Refusal } from '../../core/policy/refusal.ts';
import type {
  ActivityLog,
  CrewInputs,
  ExecutionStore,
  GroupChanges,
  OutputStore,
  RecentFeedback,
  TokenCheck,
  UserTokens,
  WantedApproval,
} from '../../core/ports.ts';
import type { Person } from '../../core/state/approval.ts';
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
  /** The id of the person. */
  by: string;
  reason: Denial['kind'];
  /** Of the request in which they tried. */
  requestId: string;
}

/** What the ledger has about a run, oldest entry first, and the conditions of the policies that they name. */
export interface RunEntries {
  entries: readonly Entry[];
  conditions: PolicyConditions;
}

/** Any other attempt that was refused. */
export interface RefusedAttempt {
  facts: LedgerFacts['refused'];
  /** Of the request in which they tried. */
  requestId: string;
}

/** What Bolt's `context` holds for our listeners, put there by `provideContext`. */
export interface ListenerContext extends Services {
  person: Person;
  /**
   * Whether Slack vouches that they belong to our workspace or organisation: people from other organisations see the messages
   * of a shared channel and can click in them. Asks Slack where the request doesn't say; never rejects.
   */
  isMember: () => Promise<boolean | null>;
  /** Words private answers and modals, in their language. */
  say: () => Promise<Say>;
  /** The same when Slack delivers the request again; empty if it has none. */
  requestId: string;
  /** When the request came in, by `performance.now()`. */
  receivedAt: number;
  /** Adds to what is logged of the request, in one line once it is answered. */
  addToLog: AddToLog;
  isHandled: boolean;
}

export interface Services {
  /**
   * For calls that a person is waiting for. Bolt's own client adds the person's home workspace to each call, in which the app
   * of an organisation may not be.
   */
  client: WebClient;
  /** The same, for a view that one person may see in full. */
  unmaskedClient: WebClient;
  store: ExecutionStore;
  /** The texts of crews as people see them: secrets of known shapes are masked. */
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
  /** Asks people what no run of a crew has asked, unless this ref has asked already. Throws `StoreUnavailable`. */
  ask: (asked: Ask) => Promise<unknown>;
  /** The ref of an execution that a form, command or step starts: the same one if the request is delivered twice. */
  createRef: (seed: { viewId: string; attempt: number } | { triggerId: string } | { stepId: string }) => string;
  /**
   * Puts a refused start into the crew's own part of the ledger; one that is repeated within a minute is counted. Throws
   * `StoreUnavailable`: don't ack then.
   */
  recordRefusedStart: (refused: RefusedStart) => Promise<void>;
  /** The same for a run's part of the ledger. */
  recordRefusal: (ref: string, refused: RefusedAttempt) => Promise<void>;
  /** What the ledger has about a run. Throws `StoreUnavailable`. */
  runEntries: (ref: string) => Promise<RunEntries>;
  /** The address at which this approval counts once its person has signed in there. Throws `StoreUnavailable`: don't ack then. */
  signInLink: (wanted: WantedApproval) => Promise<{ url: string; id: string }>;
  /** Whether a person has connected a token of their own to a crew. Throws `StoreUnavailable`. */
  connectedTo: (crew: string, personId: string) => Promise<boolean>;
  /** The id of a crew's own channel; null if it has none. Throws what the client throws. */
  channelOf: (crew: string) => Promise<string | null>;
  /** For what a request waits for although other work doesn't have to wait with it. */
  aside: <Value>(wait: Promise<Value>) => Promise<Value>;
  /** Slack may take messages into this channel again, or for null into any. Throws `StoreUnavailable`: don't ack then. */
  retryIn: (channel: string | null) => Promise<void>;
  /** A channel has another id from now on. Throws `StoreUnavailable`: don't ack then. */
  moveChannel: (from: string, to: string) => Promise<void>;
  /** The id that a channel has now. Throws `StoreUnavailable`. */
  latestChannel: (id: string) => Promise<string>;
  renameChannel: (id: string, name: string) => void;
  /** The bot token may not work any more. */
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

/**
 * Bolt's listeners, with our services and the person in their `context`. What a person asked for is stored, or is known to
 * change nothing, before `ack`: if a listener throws before, Slack shows the person an error.
 */
export type ActionListener = Middleware<SlackActionMiddlewareArgs<BlockAction>, ListenerContext>;
export type ViewListener = Middleware<SlackViewMiddlewareArgs<ViewSubmitAction>, ListenerContext>;
export type ShortcutListener = Middleware<SlackShortcutMiddlewareArgs<SlackShortcut>, ListenerContext>;
export type CommandListener = Middleware<SlackCommandMiddlewareArgs, ListenerContext>;
/** Events are acknowledged once their listener has resolved; Slack delivers them again where it rejects. */
export type EventListener<Type extends string> = Middleware<SlackEventMiddlewareArgs<Type>, ListenerContext>;
export type StepListener = EventListener<'function_executed'>;
export type HomeListener = EventListener<'app_home_opened'>;

export type Ack = () => Promise<void>;

/** Acknowledges a submitted modal, with what happens to it; without an answer it closes. */
export type ViewAck = Parameters<ViewListener>[0]['ack'];
export type ViewAnswer = ViewResponseAction | undefined;

export type CommandArgs = Pick<Parameters<CommandListener>[0], 'ack' | 'command' | 'context' | 'respond'>;

export function refusalFacts(refusal: Refusal): Pick<LogFacts, 'refusal'> & { denial?: string } {
  return { refusal: refusal.kind, ...('denial' in refusal && { denial: refusal.denial.kind }) };
}

/** The Home tabs of people. No method throws. */
export interface HomeTab {
  /**
   * Shows a person their Home as it is now. The metadata of the view that they see says what they look at, and `change` what
   * they want to look at instead: of what they already want but don't see yet, it changes that.
   */
  show(personId: string, metadata: string, change?: (metadata: string) => string): Promise<void>;
  /** Shows it anew to a person who may be looking at it: they have changed something of their own. */
  showAgain(personId: string): void;
}
