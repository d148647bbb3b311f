import { APPROVER_INPUTS } from '../state/about.ts';
import type { InputField, InputHint } from '../values/input-field.ts';
import type { WorkingHours } from '../values/working-hours.ts';
import type { CrewRules, Notify } from './crew-rules.ts';
import { type Approver, type CrewPolicy, DEFAULT_POLICY } from './policy.ts';

/** What an approval without a note says to a crew that has no text of its own. */
export const APPROVAL_TEXT = 'Approved.';

export const PLATFORMS = ['amp'] as const;

/** A kind of deployment that isn't asked and answered quite as the specification says. */
export type Platform = (typeof PLATFORMS)[number];

/** A deployed crew as the operator configured it. */
export interface Crew {
  name: string;
  /** What the crew is for, in one line; null if nobody has said. */
  description: string | null;
  /** Without a slash at the end. Null for a crew that isn't deployed: others ask by its rules, and nothing starts it. */
  baseUrl: string | null;
  /** Where people can see its runs and end them: its control panel or, as far as is known, its service. */
  controlUrl: string | null;
  token: string | null;
  /** Null for the interface of the specification. */
  platform: Platform | null;
  /** Whether requests of executions that were started elsewhere are taken. */
  startedElsewhere: 'followed' | 'refused';
  /** What people are told as the name of a program that asks by its rules. */
  askedBy: string;
  /** The channel (id or name) for executions started elsewhere and for reports without a thread; null if none is set. */
  channel: string | null;
  /** The feedback sent with an approval without a note. */
  approvalText: string;
  /** Whether *Approve with note…* is offered. */
  approvalNotes: boolean;
  /** Who may decide its requests. */
  approval: CrewPolicy;
  /** Who may start it: a person who matches one of them. */
  starters: readonly Approver[];
  /** Whether Slack's workflows may start it, each of which says itself who has started it. */
  workflows: 'allowed' | 'refused';
  /** Whether everybody needs a token of their own to start it or decide its requests. */
  requireUserToken: boolean;
  /** The hosts that decisions may be sent to, where whoever asks names an address for them. */
  callbackHosts: readonly string[];
  /** What proves that a notification is from the control panel of its flows, newest first; none if it has no flows. */
  flowSecrets: readonly string[];
  /** Whether a 503 without `Retry-After` says, too, that a call took no effect. */
  retry503: boolean;
  /** When the clocks of reminders, escalations and expiries run; null for always. */
  hours: WorkingHours | null;
  /** How many characters of an output its cards show; null for as much as they have room for. */
  preview: number | null;
  notify: Notify;
  /** Whether its cards are also shown in the channel, or only in the threads of their runs. */
  broadcast: boolean;
  /** Whether the end of a run mentions the person who started it. */
  notifyStarter: boolean;
  /** The language of what is posted in channels about its runs. */
  language: Language;
  /** The operator's hints for the inputs, by the name that the crew reports. */
  inputs: Record<string, InputHint>;
}

/** What the input is called in which a flow's request says whom it is assigned to. */
export const ASSIGNEE = 'assigned_to_email';

export type DeployedCrew = Crew & { baseUrl: string; token: string };

export function isDeployed(crew: Crew): crew is DeployedCrew {
  return crew.baseUrl !== null && crew.token !== null;
}

export function namesOfDeployed(crews: ReadonlyMap<string, Crew>): string[] {
  return [...crews.values()].filter(isDeployed).map(({ name }) => name);
}

/** Whose rules apply where a workflow names the approvers itself; a crew of this name has rules of its own. */
export const WORKFLOW = 'workflow';

export const WORKFLOW_POLICY: CrewPolicy = {
  ...DEFAULT_POLICY,
  approvers: APPROVER_INPUTS.map((input) => ({ kind: 'input', name: `input:${input}` })),
  inputs: Object.fromEntries(APPROVER_INPUTS.map((input) => [input, 'text'])),
};

/** The rules of a crew's requests. Those of a crew that isn't in the crews file have no policy. */
export type RulesOf = (crew: string) => CrewRules;

export function createRulesOf(
  crews: ReadonlyMap<string, Crew>,
  keepTexts: 'retention' | 'attach' = 'retention',
): RulesOf {
  return (name) => {
    const crew = crews.get(name);
    if (!crew) return { policy: name === WORKFLOW ? WORKFLOW_POLICY : null, hours: null, keepTexts };
    const { approval: policy, hours, notify, startedElsewhere } = crew;
    return { policy, hours, notify, keepTexts, startedElsewhere };
  };
}

/** The fields of the form, in the order that the crew reports; an input without a hint is plain text. */
export function inputFields(names: string[], hints: Record<string, InputHint>): InputField[] {
  return names.map((name) => {
    const { label, ...hint } = hintOf(name, hints) ?? NO_HINT;
    return { name, label: label ?? name, ...hint };
  });
}

/** The label of an input: the operator's, or the name that the crew reports. */
export function inputLabel(name: string, hints: Record<string, InputHint>): string {
  return hintOf(name, hints)?.label ?? name;
}

const NO_HINT: InputHint = { label: null, type: 'text', options: [], default: null, help: null, min: null, max: null };

function hintOf(name: string, hints: Record<string, InputHint>): InputHint | undefined {
  return Object.hasOwn(hints, name) ? hints[name] : undefined;
}

/** What people type to start a crew, unless the operator calls it something else. */
export const DEFAULT_COMMAND = '/kickoff';

/** What follows the slash command where no crew is meant, so no crew can have such a name. */
const COMMAND_WORDS = ['help', 'status', 'who', 'stats', 'connect', 'disconnect'] as const;

/** Reads a word as people type it: `Help`, `--help`, `-h`, `Status?`. Null if it is none of these. */
export function commandWordIn(typed: string): (typeof COMMAND_WORDS)[number] | null {
  const word = typed.toLowerCase().replace(/^[-/]+|(?<=\w)[?!.]+$/g, '');
  if (word === '?' || typed === '-h') return 'help';
  return COMMAND_WORDS.find((each) => each === word) ?? null;
}

export const LANGUAGES = ['en', 'de'] as const;

/** A language that Signoff speaks in Slack, as an ISO 639 code. */
export type Language = (typeof LANGUAGES)[number];
