// Reads the file of `npm run policy -- test`: people and groups, and cases with expectations.

import { z } from 'zod';
import { type Mistake, within } from '../../config/compare-crews.ts';
import { text, YES_NO } from '../../config/fields.ts';
import { didYouMean, inFile, inOrder, mistakesIn } from '../../config/file-mistakes.ts';
import { readText, readYaml } from '../../config/yaml-file.ts';
import type { Crew } from '../../core/policy/crew.ts';
import { type Approver, parseApprover } from '../../core/policy/policy.ts';
import type { Inputs } from '../../core/values/json.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import { ELSEWHERE } from './explain-person.ts';

/** People and their groups; nobody is in any other group. */
export interface Staff {
  /** Members by the name of a user group in the crews file, and of `channel`. */
  groups: Readonly<Record<string, readonly string[]>>;
  /** Ids of people by address. */
  emails: Readonly<Record<string, string>>;
  guests: readonly string[];
  /** People of other organisations. */
  strangers: readonly string[];
  deactivated: readonly string[];
}

/** A case; people are named by id or e-mail address. */
export interface RuleCase {
  name: string;
  /** Line of the case in its file. */
  line: number;
  crew: Crew;
  /** Unknown facts of the request are null. */
  task: string | null;
  round: number;
  channel: string | null;
  hour: number | null;
  inputs: Inputs;
  /** `elsewhere` if the run was started there; null if anybody else started it. */
  starter: string | null;
  isEscalated: boolean;
  /** True if `user` has signed in, where required. People in `votes` have. */
  isSignedIn: boolean;
  /** People who approved before, oldest first. */
  votes: readonly string[];
  user: string;
  verdict: 'approve' | 'reject' | 'decline';
  expected: Expectation;
}

const OUTCOMES = ['approved', 'rejected', 'declined', 'counts', 'stage', 'sign-in', 'refused'] as const;
/** Denials that the groups of people can lead to. */
const REASONS = ['not-approver', 'self-approval', 'guest', 'stranger', 'deactivated', 'right-used'] as const;

/** Expected result of a verdict; nothing is expected of an undefined field. */
export interface Expectation {
  outcome: (typeof OUTCOMES)[number];
  because?: (typeof REASONS)[number] | undefined;
  /** Number of missing approvals. */
  needs?: number | undefined;
  /** Name of the stage of the verdict. */
  stage?: string | undefined;
}

function isOf(kinds: readonly Approver['kind'][], name: string): boolean {
  const approver = parseApprover(name);
  return approver !== null && kinds.includes(approver.kind);
}

function isPerson(name: string): boolean {
  return isOf(['person', 'email'], name);
}

const PERSON_RULE = 'must be the id (U0123ABC) or e-mail address of a person';
const PERSON = z.string(PERSON_RULE).refine(isPerson, PERSON_RULE);
const PEOPLE = z.array(PERSON, 'must be a list of people such as [U0123ABC]');
/** Replaces zod's own wording about keys. */
function mapOf<Value>(kinds: readonly Approver['kind'][], rule: string, values: z.ZodType<Value>, message: string) {
  return z.record(z.string(), values, message).check(({ value, issues }) => {
    for (const name of Object.keys(value))
      if (!isOf(kinds, name)) issues.push({ code: 'custom', path: [name], message: rule, input: name });
  });
}

const GROUP = 'isn\'t a user group ("@leads" or S0456DEF) or channel';
const ADDRESS = "isn't an e-mail address";
const ID_RULE = 'must be the id of a person, such as U0123ABC';
const ID = z.string(ID_RULE).refine((name) => isOf(['person'], name), ID_RULE);
const USER = 'must be the person who decides: an id (U0123ABC) or e-mail address';
const STARTER = 'must be a person (U0123ABC or maria@example.com), or elsewhere';
const ROUND = 'must be a whole number from 1';
const HOUR = 'must be an hour from 0 to 23';
const NEEDS = 'must be a whole number from 1';

const CASE = z.strictObject(
  {
    name: text('is missing: what is expected, in a few words').min(1, 'is empty'),
    crew: text('is missing: the name of a crew').optional(),
    task: text('must be the name or id of a task')
      .min(1, 'is empty: leave it out where the task isn’t known')
      .optional(),
    round: z.int(ROUND).min(1, ROUND).default(1),
    channel: z
      .string('must be the id of a channel')
      .regex(/^[CGD][A-Z0-9]+$/, 'must be the id of a channel, such as C0123456789')
      .optional(),
    hour: z.int(HOUR).min(0, HOUR).max(23, HOUR).optional(),
    inputs: z.record(z.string(), z.json('must be a JSON value'), 'must be a map of inputs').default({}),
    starter: z
      .string(STARTER)
      .refine((name) => name === ELSEWHERE || isPerson(name), STARTER)
      .optional(),
    escalated: YES_NO.default(false),
    votes: PEOPLE.default([]),
    signed_in: YES_NO.default(true),
    user: z.string(USER).refine(isPerson, USER),
    verdict: z.enum(['approve', 'reject', 'decline'], 'must be approve, reject or decline').default('approve'),
    expect: z.enum(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`),
    because: z.enum(REASONS, `must be one of ${REASONS.join(', ')}`).optional(),
    needs: z.int(NEEDS).min(1, NEEDS).optional(),
    stage: text('must be the name of a stage').optional(),
  },
  'must be a map: name, crew, user, expect',
);

const NO_PEOPLE: string[] = [];

const FILE = z.strictObject(
  {
    groups: mapOf(
      ['group', 'handle', 'channel'],
      GROUP,
      PEOPLE,
      'must be a map of groups, each with a list of people',
    ).default({}),
    emails: mapOf(['email'], ADDRESS, ID, 'must be a map of e-mail addresses, each with the id of a person').default(
      {},
    ),
    guests: PEOPLE.default(NO_PEOPLE),
    strangers: PEOPLE.default(NO_PEOPLE),
    deactivated: PEOPLE.default(NO_PEOPLE),
    cases: z.array(CASE, 'is missing: the list of cases').min(1, 'is an empty list: add a case'),
  },
  'must start with groups: or cases:',
);

const NAMES = [...Object.keys(FILE.shape), ...Object.keys(CASE.shape)];

/** Reads a file of cases for these crews. A refusal names every mistake with its line. */
export function readCases(path: string, crews: readonly Crew[]): Result<{ staff: Staff; cases: RuleCase[] }, string[]> {
  const read = readText(path);
  if (!read.ok) return refuse([`${path} can't be read: ${read.refusal}.`]);
  const file = parseCases(read.value, crews);
  return file.ok ? file : refuse(file.refusal.map((mistake) => inFile(path, mistake)));
}

function parseCases(written: string, crews: readonly Crew[]): Result<{ staff: Staff; cases: RuleCase[] }, string[]> {
  const file = readYaml(written);
  if (!file.ok) return file;
  const { content, remarks, remark, lineOf } = file.value;
  const parsed = FILE.safeParse(content);
  const mistakes = parsed.success
    ? parsed.data.cases.flatMap((each, i) => within(['cases', i], mistakesOf(each, crews)))
    : parsed.error.issues.flatMap((issue) => mistakesIn(issue, NAMES));
  const problems = inOrder([...remarks, ...mistakes.map(({ path, message }) => remark(path, message))]);
  if (!parsed.success || problems.length > 0) return refuse(problems);
  const { cases, ...staff } = parsed.data;
  return ok({
    staff,
    cases: cases.flatMap((each, i) => {
      const crew = crewOf(each, crews);
      return crew ? [caseOf(each, { crew, line: lineOf(['cases', i]) })] : [];
    }),
  });
}

type WrittenCase = z.infer<typeof CASE>;

function caseOf(written: WrittenCase, { crew, line }: Pick<RuleCase, 'crew' | 'line'>): RuleCase {
  const { task, channel, hour, starter, escalated, signed_in, expect, because, needs, stage, ...rest } = written;
  return {
    ...rest,
    task: task ?? null,
    channel: channel ?? null,
    hour: hour ?? null,
    starter: starter ?? null,
    isEscalated: escalated,
    isSignedIn: signed_in,
    crew,
    line,
    expected: { outcome: expect, because, needs, stage },
  };
}

/** A case needn't name the only crew. */
function crewOf({ crew: name }: WrittenCase, crews: readonly Crew[]): Crew | undefined {
  return name === undefined && crews.length === 1 ? crews[0] : crews.find((crew) => crew.name === name);
}

/** Returns contradictions between the settings of a case, or with its crew. */
function mistakesOf(written: WrittenCase, crews: readonly Crew[]): Mistake[] {
  const { crew: name, inputs, expect, because, needs } = written;
  const mistakes: Mistake[] = [];
  const crew = crewOf(written, crews);
  if (!crew) {
    const message = name === undefined ? 'is missing: the name of a crew' : "isn't a crew";
    mistakes.push({
      path: ['crew'],
      message: `${message}${didYouMean(
        name ?? '',
        crews.map((each) => each.name),
      )}`,
    });
  }
  for (const input of Object.keys(inputs))
    if (crew && !Object.hasOwn(crew.inputs, input)) {
      const message = `isn't among the inputs of ${crew.name}${didYouMean(input, Object.keys(crew.inputs))}`;
      mistakes.push({ path: ['inputs', input], message });
    }
  if (because !== undefined && expect !== 'refused')
    mistakes.push({ path: ['because'], message: 'says something only beside expect: refused' });
  if (needs !== undefined && expect !== 'counts')
    mistakes.push({ path: ['needs'], message: 'says something only beside expect: counts' });
  return mistakes;
}
