import { z } from 'zod';
import { APPROVERS } from './approver-settings.ts';
import { TIMER } from './duration.ts';
import type { Mistake } from './mistake.ts';
import { repeatsIn } from './repeats-in.ts';

const MAP = z.record(z.string(), z.unknown()).catch({});
const LIST = z.array(MAP).catch([]);

type Settings = Record<string, unknown>;

/** A mistake between settings. It is told at the first of these places that is in the part of the file that is read. */
interface Conflict {
  places: readonly (readonly [setting: string, message: string])[];
  isIn(settings: Settings): boolean;
}

const CONFLICTS: readonly Conflict[] = [
  {
    places: [
      ['quorum', 'must be at most the number of people in approvers'],
      ['approvers', 'names fewer people than quorum asks for'],
    ],
    isIn: ({ quorum, approvers }) => typeof quorum === 'number' && quorum > mostApprovers(approvers),
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

/** What is wrong between the settings of an `approval`. What is wrong with one of them alone is left to the schema. */
export function compareApproval({ tasks, ...usual }: Settings): Mistake[] {
  const patterns = repeats({ list: tasks, key: 'match', message: 'is already the pattern of other tasks' });
  return [
    ...compareRules(usual, usual),
    ...within(['tasks'], patterns),
    ...LIST.parse(tasks).flatMap((task, i) => within(['tasks', i], compareRules(task, { ...usual, ...task }))),
  ];
}

/** @param all the same rules, and those that they leave as they are */
function compareRules(own: Settings, all: Settings): Mistake[] {
  const found = CONFLICTS.filter(({ isIn }) => isIn(all)).flatMap(({ places }) => {
    const place = places.find(([setting]) => !isAbsent(own, setting));
    return place ? [{ path: [place[0]], message: place[1] }] : [];
  });
  const message = 'is already the name of another template';
  return [...found, ...within(['templates'], repeats({ list: own.templates, key: 'name', message }))];
}

function repeats({ list, key, message }: { list: unknown; key: string; message: string }): Mistake[] {
  const names = LIST.parse(list).map(({ [key]: name }) => (typeof name === 'string' ? name.toLowerCase() : undefined));
  return repeatsIn(names).map((i) => ({ path: [i, key], message }));
}

function within(at: Mistake['path'], mistakes: Mistake[]): Mistake[] {
  return mistakes.map(({ path, message }) => ({ path: [...at, ...path], message }));
}

function isAbsent(settings: Settings, setting: string): boolean {
  return !(setting in settings);
}

/** Undefined if it is left out or wrong, null for never. */
function timerIn(settings: Settings, setting: string): number | null | undefined {
  return TIMER.safeParse(settings[setting]).data;
}

function isTooLate(settings: Settings, setting: string): boolean {
  const [timer, expiry] = [timerIn(settings, setting), timerIn(settings, 'expire_after')];
  return typeof timer === 'number' && typeof expiry === 'number' && timer >= expiry;
}

/** How many people a list can stand for. Only ids and e-mail addresses tell. */
function mostApprovers(list: unknown): number {
  const approvers = APPROVERS.safeParse(list).data;
  if (!approvers?.every(({ kind }) => kind === 'person' || kind === 'email')) return Number.POSITIVE_INFINITY;
  return new Set(approvers.map(({ name }) => name.toLowerCase())).size;
}
