import { z } from 'zod';
import type { InputType } from '../core/values/input-field.ts';
import type { Json } from '../core/values/json.ts';
import { APPROVERS, COMMENTS, TIMER } from './approval-settings.ts';
import { INPUT_TYPE } from './input-settings.ts';

// Finds contradictions between the settings of a crew, which the schema of each setting can't find.

/** A mistake in the file. The message follows the setting's name. */
export interface Mistake {
  path: PropertyKey[];
  message: string;
}

type Settings = Record<string, unknown>;

export const MAP = z.record(z.string(), z.unknown()).catch({});
export const LIST = z.array(MAP).catch([]);

/**
 * The mistakes of a crews file that show only when its entries are compared. Zod would compare only what has no other mistake,
 * so this reads whatever is there, and leaves what is of the wrong shape to the schema. What is undefined is unknown.
 */
export function compareCrews(content: unknown): Mistake[] {
  const crews = LIST.parse(MAP.parse(content).crews);
  return [
    ...within(['crews'], repeats({ list: crews, key: 'name', message: 'is already the name of another crew' })),
    ...crews.flatMap((crew, i) => within(['crews', i], deploymentMistakes(crew))),
    ...crews.flatMap((crew, i) => approvalMistakes(crew, ['crews', i, 'approval'])),
    ...crews.flatMap((crew, i) => flowMistakes(crew, ['crews', i])),
    ...crews.flatMap((crew, i) => within(['crews', i], noticeMistakes(crew))),
    ...crews.flatMap((crew, i) => inputMistakes(crew, ['crews', i, 'inputs'])),
  ];
}

/** Finds `notify: channel` without cards in the channel: `@here` is meant for a channel, not for people who follow a thread. */
function noticeMistakes({ notify, broadcast }: Settings): Mistake[] {
  if (notify !== 'channel' || broadcast !== false) return [];
  return [{ path: ['notify'], message: 'is channel, but broadcast: false keeps cards out of the channel' }];
}

/** Settings that a deployed crew needs. */
const DEPLOYMENT = [
  ['base_url', 'is missing: the address of the deployed crew, from its page in the control panel'],
  ['token', 'is missing: the bearer token of the crew, from its page in the control panel'],
] as const;

/** Settings that only a deployed crew can use. */
const OF_DEPLOYED = ['control_url', 'platform', 'starters', 'require_user_token', 'retry_503'];

/** A crew without address and token only has rules for programs that ask. */
function deploymentMistakes(crew: Settings): Mistake[] {
  const missing = missingOfDeployment(crew);
  if (missing.length < DEPLOYMENT.length) return missing;
  return OF_DEPLOYED.filter((setting) => Object.hasOwn(crew, setting)).map((setting) => ({
    path: [setting],
    message: 'has no effect without base_url and token',
  }));
}

export function missingOfDeployment(crew: Settings): Mistake[] {
  return DEPLOYMENT.filter(([setting]) => !Object.hasOwn(crew, setting)).map(([setting, message]) => ({
    path: [setting],
    message,
  }));
}

function approvalMistakes(crew: Settings, at: Mistake['path']): Mistake[] {
  const approval = MAP.parse(crew.approval);
  const mistakes = [...within(at, compareApproval(approval)), ...commentMistakes(crew, approval, at)];
  if (approval.started_elsewhere === undefined || crew.started_elsewhere === undefined) return mistakes;
  return [
    ...mistakes,
    { path: [...at, 'started_elsewhere'], message: 'is set beside approval, too: keep one of them' },
  ];
}

/** Finds rules that require a note of approvals from a crew that takes none. */
function commentMistakes(crew: Settings, approval: Settings, at: Mistake['path']): Mistake[] {
  const { approval_notes: notes = crew.platform !== 'amp' } = crew;
  if (notes !== false) return [];
  const why =
    crew.approval_notes === undefined ? 'platform: amp without approval_notes: true' : 'approval_notes: false';
  const message = `can't require a note of approvals beside ${why}`;
  const places = [
    { rules: approval, path: at },
    ...LIST.parse(approval.tasks).map((rules, i) => ({ rules, path: [...at, 'tasks', i] })),
  ];
  return places
    .filter(({ rules }) => COMMENTS.safeParse(rules.comment).data?.approve === 'required')
    .map(({ path }) => ({ path: [...path, 'comment'], message }));
}

/** Finds flows without `callback_hosts`: they choose the address for their answer, and only hosts that the operator names get one. */
function flowMistakes({ flow_secret: secret, callback_hosts: hosts = [] }: Settings, at: Mistake['path']): Mistake[] {
  if (secret === undefined || !Array.isArray(hosts) || hosts.length > 0) return [];
  return [{ path: [...at, 'flow_secret'], message: 'needs callback_hosts beside it, such as [app.crewai.com]' }];
}

function inputMistakes({ inputs }: Settings, at: Mistake['path']): Mistake[] {
  return Object.entries(MAP.parse(inputs)).flatMap(([input, settings]) =>
    within([...at, input], compareInput(MAP.parse(settings))),
  );
}

/** Settings that contradict each other. The first of these places that the file sets gets the message. */
interface Conflict {
  places: readonly (readonly [setting: string, message: string])[];
  isIn(settings: Settings): boolean;
}

const CONFLICTS: readonly Conflict[] = [
  {
    places: [
      ['quorum', 'must be at most the number of people who are named as approvers'],
      ['approvers', 'names fewer people than quorum asks for'],
    ],
    isIn: ({ quorum, approvers, all_of }) => typeof quorum === 'number' && quorum > mostApprovers(approvers ?? all_of),
  },
  {
    places: [['escalate_after', 'has no effect without escalate_to: name who may decide then']],
    isIn: (settings) => typeof timerIn(settings, 'escalate_after') === 'number' && isAbsent(settings, 'escalate_to'),
  },
  {
    places: [['escalate_to', 'has no effect without escalate_after, such as 4h']],
    isIn: (settings) => isAbsent(settings, 'escalate_after'),
  },
  {
    places: [['on_expiry', 'has no effect without expire_after, such as 3d']],
    isIn: (settings) => isAbsent(settings, 'expire_after'),
  },
  {
    places: [['expiry_text', 'has no effect without expire_after, such as 3d']],
    isIn: (settings) => isAbsent(settings, 'expire_after'),
  },
  {
    places: [
      ['escalate_after', 'must be sooner than expire_after'],
      ['expire_after', 'must be later than escalate_after, which may be never for these tasks'],
    ],
    isIn: (settings) => isTooLate(settings, 'escalate_after'),
  },
  {
    places: [
      ['remind_after', 'must be sooner than expire_after, or nobody is reminded'],
      ['expire_after', 'must be later than remind_after, which may be never for these tasks'],
    ],
    isIn: (settings) => isTooLate(settings, 'remind_after'),
  },
];

/** Finds the mistakes in the `approval` of one crew. */
export function compareApproval({ tasks, ...usual }: Settings): Mistake[] {
  const message = 'is already the pattern of other tasks';
  const patterns = (['match', 'id'] as const).flatMap((key) => repeats({ list: tasks, key, message }));
  return [
    ...compareLevel(usual, usual),
    ...within(['tasks'], patterns),
    ...LIST.parse(tasks).flatMap((task, i) => within(['tasks', i], compareLevel(task, { ...usual, ...task }))),
  ];
}

/** Compares rules with their stages and conditions. */
function compareLevel({ when, ...own }: Settings, all: Settings): Mistake[] {
  return [
    ...compareStaged(own, all),
    ...LIST.parse(when).flatMap((changed, i) => within(['when', i], compareStaged(changed, { ...all, ...changed }))),
  ];
}

function compareStaged({ stages, ...own }: Settings, all: Settings): Mistake[] {
  const names = repeats({ list: stages, key: 'name', message: 'is already the name of another stage' });
  return [
    ...(stages === undefined ? compareRules(own, all) : compareRules(own, own)),
    ...within(['stages'], names),
    ...LIST.parse(stages).flatMap((stage, i) => {
      const approvers = isAbsent(stage, 'approvers') && !isAbsent(stage, 'all_of') ? { approvers: stage.all_of } : {};
      return within(['stages', i], compareRules(stage, { ...all, ...approvers, ...stage }));
    }),
  ];
}

/** @param all the same rules, and those that they inherit */
function compareRules(own: Settings, all: Settings): Mistake[] {
  const conflicts = CONFLICTS.filter(({ isIn }) => isIn(all)).flatMap(({ places }) => {
    const place = places.find(([setting]) => !isAbsent(own, setting));
    return place ? [{ path: [place[0]], message: place[1] }] : [];
  });
  const message = 'is already the name of another template';
  return [...conflicts, ...within(['templates'], repeats({ list: own.templates, key: 'name', message }))];
}

function isAbsent(settings: Settings, setting: string): boolean {
  return !(setting in settings);
}

/** Returns undefined for a timer that is left out or wrong, null for never. */
function timerIn(settings: Settings, setting: string): number | null | undefined {
  return TIMER.safeParse(settings[setting]).data;
}

function isTooLate(settings: Settings, setting: string): boolean {
  const [timer, expiry] = [timerIn(settings, setting), timerIn(settings, 'expire_after')];
  return typeof timer === 'number' && typeof expiry === 'number' && timer >= expiry;
}

/** Returns how many people a list can stand for; infinite unless it has only ids and e-mail addresses. */
function mostApprovers(list: unknown): number {
  const approvers = APPROVERS.safeParse(list).data;
  if (!approvers?.every(({ kind }) => kind === 'person' || kind === 'email')) return Number.POSITIVE_INFINITY;
  return new Set(approvers.map(({ name }) => name.toLowerCase())).size;
}

/** The limit of a select menu in Slack: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const MOST_OPTIONS = 100;

const DEFAULT_RULES: Record<InputType, string> = {
  text: 'must be text; put it in quotes',
  long_text: 'must be text; put it in quotes',
  number: 'must be a number',
  yes_no: 'must be true or false',
  choice: 'must be one of the options',
  date: 'must be a date such as 2026-12-31',
  json: 'must be a JSON value',
};

function compareInput(settings: Settings): Mistake[] {
  const options = optionsIn(settings);
  const type = typeOf(settings, options);
  return [
    ...typeMistakes(type, options),
    ...optionMistakes(options ?? []),
    ...limitMistakes(settings, type),
    ...defaultMistakes(settings, { type, options: options ?? [] }),
  ];
}

/** Returns null for options that aren't a list. */
function optionsIn(settings: Settings): unknown[] | null {
  if (!('options' in settings)) return [];
  return Array.isArray(settings.options) ? settings.options : null;
}

/** Returns null if the type is unknown. */
function typeOf(settings: Settings, options: unknown[] | null): InputType | null {
  if ('type' in settings) return INPUT_TYPE.safeParse(settings.type).data ?? null;
  if (options === null) return null;
  return options.length > 0 ? 'choice' : 'text';
}

function typeMistakes(type: InputType | null, options: unknown[] | null): Mistake[] {
  if (type === null || options === null) return [];
  if (type === 'choice' && options.length === 0) {
    return [{ path: ['options'], message: 'is missing: a choice needs options' }];
  }
  const isUnused = type !== 'choice' && options.length > 0;
  return isUnused ? [{ path: ['type'], message: 'must be choice if there are options' }] : [];
}

function optionMistakes(options: unknown[]): Mistake[] {
  const message = `has more than ${MOST_OPTIONS} options, which is all that Slack can show`;
  return [
    ...(options.length > MOST_OPTIONS ? [{ path: ['options'], message }] : []),
    ...repeatsIn(options).map((i) => ({ path: ['options', i], message: 'is already an option' })),
  ];
}

function limitMistakes({ min, max, default: preset }: Settings, type: InputType | null): Mistake[] {
  if (type === null) return [];
  const limits = Object.entries({ min, max }).filter(([, limit]) => limit !== undefined);
  if (type !== 'number')
    return limits.map(([name]) => ({ path: [name], message: 'is only for numbers: the type must be number' }));
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    return [{ path: ['max'], message: 'must not be less than min' }];
  if (typeof preset !== 'number') return [];
  const isOutside = (typeof min === 'number' && preset < min) || (typeof max === 'number' && preset > max);
  return isOutside ? [{ path: ['default'], message: 'must be within min and max' }] : [];
}

function defaultMistakes(
  { default: written }: Settings,
  { type, options }: { type: InputType | null; options: unknown[] },
): Mistake[] {
  const preset = z.json().safeParse(written).data ?? null;
  if (preset === null || type === null || fits(preset, type, options)) return [];
  return [{ path: ['default'], message: DEFAULT_RULES[type] }];
}

function fits(preset: Json, type: InputType, options: unknown[]): boolean {
  switch (type) {
    case 'text':
    case 'long_text':
      return typeof preset === 'string';
    case 'number':
      return typeof preset === 'number';
    case 'yes_no':
      return typeof preset === 'boolean';
    case 'choice':
      // The lack of options is the mistake if there are none.
      return options.length === 0 || options.includes(undefined) || options.includes(preset);
    case 'date':
      return typeof preset === 'string' && z.iso.date().safeParse(preset).success;
    case 'json':
      return true;
  }
}

function repeats({ list, key, message }: { list: unknown; key: string; message: string }): Mistake[] {
  const names = LIST.parse(list).map(({ [key]: name }) => (typeof name === 'string' ? name.toLowerCase() : undefined));
  return repeatsIn(names).map((i) => ({ path: [i, key], message }));
}

/** Returns the indexes of repeated values. Undefined ones are unknown, so they repeat none. */
function repeatsIn(values: readonly unknown[]): number[] {
  return values.flatMap((value, i) => (value !== undefined && values.indexOf(value) < i ? [i] : []));
}

export function within(at: Mistake['path'], mistakes: Mistake[]): Mistake[] {
  return mistakes.map(({ path, message }) => ({ path: [...at, ...path], message }));
}
