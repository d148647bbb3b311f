// A deployed crew as the crews file configures it, and the names that people use to start one.

import { APPROVER_INPUTS } from '../state/about.ts';
import type { InputField, InputHint } from '../values/input-field.ts';
import type { WorkingHours } from '../values/working-hours.ts';
import type { CrewRules, Notify } from './crew-rules.ts';
import { type Approver, type CrewPolicy, DEFAULT_POLICY } from './policy.ts';

/** Default of `approvalText`. */
export const APPROVAL_TEXT = 'Approved.';

export const PLATFORMS = ['amp'] as const;

/** A deployment whose interface differs from the specification. */
export type Platform = (typeof PLATFORMS)[number];

export interface Crew {
  name: string;
  /** The crew's purpose in one line. */
  description: string | null;
  /** No slash at the end. Null for a crew that isn't deployed: programs ask by its rules, and nothing starts it. */
  baseUrl: string | null;
  /** The page where people can see and end its runs: its control panel or, unless that is known, its service. */
  controlUrl: string | null;
  token: string | null;
  /** Null for the interface of the specification. */
  platform: Platform | null;
  /** The answer to requests of executions that were started elsewhere. */
  startedElsewhere: 'followed' | 'refused';
  /** The name that people see for a program that asks by the crew's rules. */
  askedBy: string;
  /** The channel (id or name) for executions started elsewhere and for reports without a thread; null if none is set. */
  channel: string | null;
  /** The feedback that the crew receives with an approval without a note. */
  approvalText: string;
  /** Cards offer *Approve with note…*. */
  approvalNotes: boolean;
  approval: CrewPolicy;
  /** A person for whom one of these stands may start the crew. */
  starters: readonly Approver[];
  /** The answer to Slack's workflows that start the crew. Each says itself who has started it. */
  workflows: 'allowed' | 'refused';
  /** Everybody needs a token of their own to start the crew or decide its requests. */
  requireUserToken: boolean;
  /** Hosts to which decisions may be sent if a program names an address for them. */
  callbackHosts: readonly string[];
  /** Secrets that prove that a notification is from the control panel of the crew's flows, newest first. */
  flowSecrets: readonly string[];
  /** A 503 without `Retry-After` also says that a call took no effect. */
  retry503: boolean;
  /** The hours in which the clocks of reminders, escalations and expiries run; null for always. */
  hours: WorkingHours | null;
  /** Number of characters of an output that cards show; null for as many as fit. */
  preview: number | null;
  notify: Notify;
  /** Cards also appear in the channel, not only in the threads of their runs. */
  broadcast: boolean;
  /** The end of a run mentions the person who started it. */
  notifyStarter: boolean;
  /** The language of posts in channels about the crew's runs. */
  language: Language;
  /** The operator's hints for the inputs, by the name that the crew reports. */
  inputs: Record<string, InputHint>;
}

/** The input in which a flow's request names the person to whom it is assigned. */
export const ASSIGNEE = 'assigned_to_email';

export type DeployedCrew = Crew & { baseUrl: string; token: string };

export function isDeployed(crew: Crew): crew is DeployedCrew {
  return crew.baseUrl !== null && crew.token !== null;
}

export function namesOfDeployed(crews: ReadonlyMap<string, Crew>): string[] {
  return [...crews.values()].filter(isDeployed).map(({ name }) => name);
}

/** The name under which the rules of workflows stand that name the approvers themselves. A crew of this name replaces these rules. */
export const WORKFLOW = 'workflow';

export const WORKFLOW_POLICY: CrewPolicy = {
  ...DEFAULT_POLICY,
  approvers: APPROVER_INPUTS.map((input) => ({ kind: 'input', name: `input:${input}` })),
  inputs: Object.fromEntries(APPROVER_INPUTS.map((input) => [input, 'text'])),
};

/** Returns the rules of a crew's requests. Those of a crew that isn't in the crews file have no policy. */
export type RulesOf = (crew: string) => CrewRules;

/** Returns the fields of the start form, in the order that the crew reports. An input without a hint is plain text. */
export function inputFields(names: string[], hints: Record<string, InputHint>): InputField[] {
  return names.map((name) => {
    const { label, ...hint } = hintOf(name, hints) ?? NO_HINT;
    return { name, label: label ?? name, ...hint };
  });
}

/** Returns the operator's label for an input, or the name that the crew reports. */
export function inputLabel(name: string, hints: Record<string, InputHint>): string {
  return hintOf(name, hints)?.label ?? name;
}

const NO_HINT: InputHint = { label: null, type: 'text', options: [], default: null, help: null, min: null, max: null };

function hintOf(name: string, hints: Record<string, InputHint>): InputHint | undefined {
  return Object.hasOwn(hints, name) ? hints[name] : undefined;
}

export const DEFAULT_COMMAND = '/kickoff';

/** Words after the slash command that aren't names of crews, so no crew can have such a name. */
const COMMAND_WORDS = ['help', 'status', 'who', 'stats', 'connect', 'disconnect'] as const;

/** Reads a word as people type it: `Help`, `--help`, `-h`, `Status?`. Null if it is none of the command's words. */
export function commandWordIn(typed: string): (typeof COMMAND_WORDS)[number] | null {
  const word = typed.toLowerCase().replace(/^[-/]+|(?<=\w)[?!.]+$/g, '');
  if (word === '?' || typed === '-h') return 'help';
  return COMMAND_WORDS.find((each) => each === word) ?? null;
}

export const LANGUAGES = ['en', 'de'] as const;

/** A language that Signoff speaks in Slack, as an ISO 639 code. */
export type Language = (typeof LANGUAGES)[number];
