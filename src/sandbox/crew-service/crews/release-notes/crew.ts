import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Crew, TaskContext } from '../../coded-crew.ts';
import { defineCrew } from '../../define-crew.ts';
import type { Json } from '../../json.ts';
import { withoutRemark } from '../remark.ts';
import { askModel } from './ask-model.ts';
import { changeOf } from './changes.ts';
import { findRange, readCommits } from './git-history.ts';
import { writeNotes } from './write-notes.ts';

type ReleaseNotesOptions = {
  /** Where published notes are written to; made where it is missing. */
  readonly outputFolder: string;
  /** How long each task takes at least, so that a person can watch. Default 0. */
  readonly taskDelayMs?: number;
};

type Context<Outputs, Previous = string> = TaskContext<{ repository: string; since: string }, Outputs, Previous>;

/** The range is pinned, so that each round speaks of the same commits. */
type Collected = { readonly collect: Awaited<ReturnType<typeof collect>> };
type Drafted = Collected & { readonly draft: string };

/**
 * Writes the release notes of a git repository on this machine; people approve the draft and the final text. The model
 * of the service, if it has one, drafts, and follows all feedback; without it the crew follows `NOTES_INSTRUCTIONS`.
 */
export function releaseNotesCrew({ outputFolder, taskDelayMs = 0 }: ReleaseNotesOptions): Crew {
  const slowly =
    <Outputs, Previous, Output extends Json>(work: (context: Context<Outputs, Previous>) => Promise<Output>) =>
    async (context: Context<Outputs, Previous>) => {
      await pause(taskDelayMs, undefined, { signal: context.signal });
      return work(context);
    };
  return defineCrew({
    name: 'release-notes',
    inputs: { repository: z.string().trim().min(1), since: z.string().trim().min(1) },
  })
    .task('collect', {
      agent: 'Historian',
      description: 'Collect the commits since the last release.',
      expectedOutput: 'How many commits, and which.',
      run: slowly(collect),
    })
    .task('draft', {
      agent: {
        name: 'Writer',
        role: 'You write release notes in Markdown.',
        goal: 'Readers see what is new for them.',
      },
      description: 'Draft the release notes from the commits.',
      expectedOutput: 'Release notes in Markdown.',
      humanInput: true,
      output: z.string(),
      run: slowly((context: Context<Collected>) => write(context, context.previous)),
    })
    .task('publish', {
      agent: 'Publisher',
      description: 'Write the final text to a file.',
      expectedOutput: 'The final text, and where it is.',
      humanInput: true,
      output: z.string(),
      run: slowly(finalText),
      whenApproved: (text, context) => publish(withoutRemark(text), context, outputFolder),
    });
}

async function collect({ inputs: { repository, since }, step, signal }: Context<unknown, Json>) {
  const find = { thought: `Find ${since} in the history`, tool: 'git rev-parse', toolInput: repository };
  const range = await step(find, () => findRange(repository, since, signal));
  return step({ thought: 'Count the commits since then', tool: 'git log', toolInput: range.folder }, async () => {
    const commits = await readCommits(range, signal);
    const project = basename(range.folder);
    return { summary: `${commits.length} commits in ${project} since ${since}`, project, since, range };
  });
}

async function write(context: Context<Collected>, previous: string | undefined): Promise<string> {
  const { allFeedback, round, step, signal, model } = context;
  const { range, ...facts } = context.outputs.collect;
  const changes = (await readCommits(range, signal)).map(changeOf);
  const feedback = allFeedback.map(({ text }) => text);
  const last = feedback.at(-1)?.slice(0, 200);
  const thought = last === undefined ? 'Write the notes' : `Write the notes again (round ${round}) after: ${last}`;
  if (model.name === undefined) return step(thought, () => writeNotes(changes, facts, feedback));
  return askModel(model, { thought, changes, facts, feedback, previous });
}

/** The approved draft; a new one where a note came with its approval, or the final text was rejected. */
async function finalText(context: Context<Drafted>): Promise<string> {
  const { draft } = context.outputs;
  // What the bot sends for an approval without a note.
  const isSettled = context.feedback.every(({ approved, text }) => approved && text === 'Approved.');
  return isSettled ? withoutRemark(draft) : write(context, context.previous ?? draft);
}

/** The name is the execution's own, so that publishing again after a restart leaves one file. */
async function publish(text: string, context: Context<Drafted>, folder: string): Promise<string> {
  const { project } = context.outputs.collect;
  const file = join(folder, `${project.replace(/[^\w.-]+/g, '-')}-${context.executionId.slice(0, 8)}.md`);
  await context.step({ thought: 'Write the file', tool: 'write', toolInput: file }, async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(file, `${text}\n`);
    return null;
  });
  return `Published to \`${file}\`\n\n${text}`;
}
