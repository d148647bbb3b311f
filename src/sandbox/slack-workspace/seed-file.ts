import { z } from 'zod';
import type { Json } from './json.ts';
import { APP_REFERENCE, DEFAULT_SEED, type Seed } from './state/seed.ts';

/** A handle, or the name of a channel or of a group. */
const NAME = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be of lower-case letters, digits, dots, hyphens and underscores');

const PERSON = z.strictObject({
  name: NAME,
  id: z
    .string()
    .regex(/^[UW][A-Z0-9]+$/, 'must begin with U or W, followed by capital letters and digits')
    .optional(),
  realName: z.string().min(1),
  title: z.string().optional(),
  timeZone: z.string().refine(isTimeZone, 'must be a time zone, such as Europe/Madrid').optional(),
  kind: z.enum(['member', 'guest', 'channel-guest', 'stranger', 'app']).optional(),
  role: z.enum(['admin', 'owner', 'primary-owner']).optional(),
  email: z.string().optional(),
  locale: z.string().optional(),
  isDeactivated: z.boolean().optional(),
});

const CHANNEL = z.strictObject({
  name: NAME,
  id: z
    .string()
    .regex(/^[CG][A-Z0-9]+$/, 'must begin with C or G, followed by capital letters and digits')
    .optional(),
  kind: z.enum(['public', 'private']).optional(),
  topic: z.string().optional(),
  isArchived: z.boolean().optional(),
  isShared: z.boolean().optional(),
  /** Default: every full member and the app. */
  members: z.array(z.string()).optional(),
});

const GROUP = z.strictObject({ handle: NAME, name: z.string().min(1), members: z.array(z.string()) });

const SAID = { from: z.string(), text: z.string().min(1) };
const MESSAGE = z.strictObject({ channel: z.string(), ...SAID, replies: z.array(z.strictObject(SAID)).optional() });

const SEED_FILE = z
  .strictObject({
    team: z.strictObject({ name: z.string().min(1), domain: NAME }).optional(),
    people: z.array(PERSON).min(1),
    channels: z.array(CHANNEL).min(1),
    groups: z.array(GROUP).default([]),
    messages: z.array(MESSAGE).default([]),
  })
  .superRefine(checkReferences);

type SeedFile = z.infer<typeof SEED_FILE>;

/** Reads from a file who and what is there at first. Throws, with every place and reason, if the file is wrong. */
export function parseSeed(value: Json | undefined): Seed {
  const { success, data, error } = SEED_FILE.safeParse(value);
  if (!success) throw new Error(error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join('; '));
  const { team = DEFAULT_SEED.team, people, channels, groups, messages } = data;
  const members = people.map((person) => ({ ...defined(person), id: person.id ?? idFrom('U', person.name) }));
  const idOf = (name: string) => members.find((member) => member.name === name)?.id ?? name;
  return {
    team: { ...team, id: DEFAULT_SEED.team.id },
    members,
    channels: channels.map((channel) => ({ ...defined(channel), id: channel.id ?? idFrom('C', channel.name) })),
    groups: groups.map(({ handle, name, members: names }) => ({
      ...{ id: idFrom('S', handle), handle, name },
      memberIds: names.map(idOf),
    })),
    messages: messages.map(defined),
  };
}

/** Returns the same id for a name at each start, so that programs can rely on it: `maria` is `UMARIA`. */
function idFrom(letter: string, name: string): string {
  return letter + name.toUpperCase().replace(/[^A-Z0-9]/g, '0');
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Zod's optional fields may be undefined; ours are there or not. */
function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function checkReferences({ people, channels, groups, messages }: SeedFile, context: z.RefinementCtx): void {
  const problem = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  const handles = people.map(({ name }) => name);
  const speakers = new Set([...handles, APP_REFERENCE, 'slackbot']);
  const names = channels.map(({ name }) => name);
  const checkUnique = (list: string, taken: readonly string[]) => {
    for (const [i, name] of taken.entries())
      if (taken.indexOf(name) < i) problem([list, i], `there are two with the name or id ${name}`);
  };
  checkUnique('people', handles);
  checkUnique(
    'people',
    people.map(({ id, name }) => id ?? idFrom('U', name)),
  );
  checkUnique('channels', names);
  checkUnique(
    'channels',
    channels.map(({ id, name }) => id ?? idFrom('C', name)),
  );
  checkUnique(
    'groups',
    groups.map(({ handle }) => idFrom('S', handle)),
  );
  const checkPeople = (path: (string | number)[], listed: readonly string[] = [], known = speakers) => {
    for (const [i, name] of listed.entries()) if (!known.has(name)) problem([...path, i], `there is no person ${name}`);
  };
  for (const [i, { members }] of channels.entries()) checkPeople(['channels', i, 'members'], members);
  for (const [i, { members }] of groups.entries()) checkPeople(['groups', i, 'members'], members, new Set(handles));
  for (const [i, { channel, from, replies = [] }] of messages.entries()) {
    if (!names.includes(channel)) problem(['messages', i, 'channel'], `there is no channel ${channel}`);
    if (!speakers.has(from)) problem(['messages', i, 'from'], `there is no person ${from}`);
    checkPeople(
      ['messages', i, 'replies'],
      replies.map((reply) => reply.from),
    );
  }
}
