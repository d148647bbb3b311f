import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Crew, defineCrew, type TaskContext, type TaskOutput } from '../../define-crew.ts';
import { asText } from '../../json.ts';
import { withoutRemark, withRemark } from '../remark.ts';
import { askModel, type Model } from './ask-model.ts';
import { changesIn } from './changes.ts';
import { findRange, readCommits } from './git-history.ts';
import { readInstructions } from './notes-style.ts';
import { writeNotes } from './write-notes.ts';

export type ReleaseNotesOptions = {
  /** Where published notes are written to; made where it is missing. */
  readonly outputFolder: string;
  /** Who drafts; without a model, the plain writer that follows a set of instructions. */
  readonly model?: Model | undefined;
  /** How long each step takes at least, so that a person can watch. Default 0. */
  readonly paceMs?: number;
};

const inputs = {
  repository: z.string().trim().min(1),
  since: z.string().trim().min(1),
};

type Context = TaskContext<{ repository: string; since: string }>;

/** What `collect` hands on: the range is pinned, so that each round speaks of the same commits. */
const collected = z.object({
  summary: z.string(),
  project: z.string(),
  since: z.string(),
  commits: z.number(),
  authors: z.array(z.string()),
  range: z.object({
    folder: z.string(),
    head: z.string(),
    from: z.union([z.object({ commit: z.string() }), z.object({ at: z.string() })]),
  }),
});

/** Writes the release notes of a git repository on this machine, with a person's eye on the draft and on the final text. */
export function releaseNotesCrew(options: ReleaseNotesOptions): Crew {
  return defineCrew({
    name: 'release-notes',
    inputs,
    tasks: [
      {
        name: 'collect',
        agent: 'Historian',
        description: 'Collect the commits since the last release.',
        expectedOutput: 'How many commits by whom, and which.',
        run: (context) => collect(context, options),
      },
      {
        name: 'draft',
        agent: 'Writer',
        description: 'Draft the release notes from the commits.',
        expectedOutput: 'Release notes in Markdown.',
        humanInput: true,
        run: (context) => draft(context, options),
      },
      {
        name: 'publish',
        agent: 'Publisher',
        description: 'Write the final text to a file.',
        expectedOutput: 'The final text, and where it is.',
        humanInput: true,
        run: (context) => finalText(context, options),
        whenApproved: (text, context) => publish(asText(text), context, options),
      },
    ],
  });
}

async function collect({ inputs: { repository, since }, step, signal }: Context, options: ReleaseNotesOptions) {
  const range = await step(
    { thought: `Find ${since} in the history`, tool: 'git rev-parse', toolInput: repository },
    () => paced(options, signal, () => findRange(repository, since, signal)),
  );
  return step({ thought: 'Read the commits since then', tool: 'git log', toolInput: range.folder }, () =>
    paced(options, signal, async () => {
      const commits = await readCommits(range, signal);
      const authors = [...new Set(commits.map(({ author }) => author))];
      const project = range.folder.split('/').at(-1) ?? range.folder;
      const summary = `${commits.length} commits by ${authors.length} ${authors.length === 1 ? 'person' : 'people'} in ${project} since ${since}`;
      return { summary, project, since, commits: commits.length, authors, range };
    }),
  );
}

async function draft(context: Context, options: ReleaseNotesOptions): Promise<string> {
  const feedback = context.feedback.map(({ text }) => text);
  return write(context, options, {
    feedback,
    previous: context.previous === undefined ? undefined : asText(context.previous),
  });
}

/** The approved draft, without remarks; what was said on its approval, and about the final text, is followed too. */
async function finalText(context: Context, options: ReleaseNotesOptions): Promise<string> {
  const approved = asText(outputOf(context.outputs, 'draft'));
  const saidSince = context.feedback.filter(
    ({ text }) => readInstructions([text]).notFollowed.length > 0 || changesAnything(text),
  );
  if (saidSince.length === 0) return withoutRemark(approved);
  const feedback = context.allFeedback.map(({ text }) => text);
  return write(context, options, {
    feedback,
    previous: asText(context.previous ?? approved),
  });
}

function changesAnything(text: string): boolean {
  return JSON.stringify(readInstructions([text]).style) !== JSON.stringify(readInstructions([]).style);
}

type Assignment = {
  /** All that shapes the text. */
  readonly feedback: readonly string[];
  readonly previous: string | undefined;
};

async function write(context: Context, options: ReleaseNotesOptions, assignment: Assignment): Promise<string> {
  const { outputs, round, step, signal } = context;
  const { range, ...facts } = collected.parse(outputOf(outputs, 'collect'));
  const commits = await step({ thought: `Sort ${facts.commits} commits by what they change`, tool: 'git log' }, () =>
    paced(options, signal, () => readCommits(range, signal)),
  );
  const changes = changesIn(commits);
  const thought = thoughtOf(round, assignment.feedback);
  const { model } = options;
  if (model)
    return step({ thought, tool: model.name }, () => askModel(model, { changes, facts, ...assignment }, signal));
  return step(thought, () =>
    paced(options, signal, () => {
      const notes = writeNotes(changes, facts, readInstructions(assignment.feedback).style);
      // The reader wants an answer to what was said last: earlier words stand answered on the drafts before.
      const last = context.feedback.slice(-1).map(({ text }) => text);
      return withRemark(notes, readInstructions(last).notFollowed);
    }),
  );
}

function thoughtOf(round: number, feedback: readonly string[]): string {
  return feedback.length === 0
    ? 'Write the notes'
    : `Write the notes again (round ${round}), following: ${feedback.at(-1)?.slice(0, 200)}`;
}

/** Written beside and renamed, so that nobody ever reads half a file. */
async function publish(
  text: string,
  { outputs, executionId, step }: Context,
  { outputFolder }: ReleaseNotesOptions,
): Promise<string> {
  const { project } = collected.parse(outputOf(outputs, 'collect'));
  const final = withoutRemark(text);
  const path = await step({ thought: 'Write the file', tool: 'write' }, async () => {
    await mkdir(outputFolder, { recursive: true });
    const name = `${project.replace(/[^\w.-]+/g, '-')}-${executionId.slice(0, 8)}.md`;
    const unfinished = join(outputFolder, `.${randomUUID()}`);
    await writeFile(unfinished, `${final}\n`);
    await rename(unfinished, join(outputFolder, name));
    return join(outputFolder, name);
  });
  return `Published to \`${path}\`\n\n${final}`;
}

function outputOf(outputs: readonly TaskOutput[], task: string) {
  return outputs.find((one) => one.task === task)?.output ?? null;
}

async function paced<Result>(
  { paceMs = 0 }: ReleaseNotesOptions,
  signal: AbortSignal,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  if (paceMs > 0) await pause(paceMs, undefined, { signal });
  return work();
}
