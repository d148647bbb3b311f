import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Crew, defineCrew, type TaskContext } from '../../define-crew.ts';
import { asText, type Json } from '../../json.ts';
import { withoutRemark } from '../remark.ts';
import { askModel, type Model } from './ask-model.ts';
import { changeOf } from './changes.ts';
import { findRange, readCommits } from './git-history.ts';
import { writeNotes } from './write-notes.ts';

type ReleaseNotesOptions = {
  /** Where published notes are written to; made where it is missing. */
  readonly outputFolder: string;
  /** Drafts, and follows all feedback. Without it the crew drafts by itself and follows `NOTES_INSTRUCTIONS`. */
  readonly model?: Model | undefined;
  /** How long each task takes at least, so that a person can watch. Default 0. */
  readonly taskDelayMs?: number;
};

type Context = TaskContext<{ repository: string; since: string }>;

/** What `collect` hands on: the range is pinned, so that each round speaks of the same commits. */
const collected = z.object({
  summary: z.string(),
  project: z.string(),
  since: z.string(),
  range: z.object({
    folder: z.string(),
    head: z.string(),
    from: z.union([z.object({ commit: z.string() }), z.object({ at: z.string() })]),
  }),
});

/** Writes the release notes of a git repository on this machine; people approve the draft and the final text. */
export function releaseNotesCrew({ outputFolder, model, taskDelayMs = 0 }: ReleaseNotesOptions): Crew {
  const slowly =
    <Output extends Json>(work: (context: Context) => Promise<Output>) =>
    async (context: Context) => {
      await pause(taskDelayMs, undefined, { signal: context.signal });
      return work(context);
    };
  return defineCrew({
    name: 'release-notes',
    inputs: { repository: z.string().trim().min(1), since: z.string().trim().min(1) },
    tasks: [
      {
        name: 'collect',
        agent: 'Historian',
        description: 'Collect the commits since the last release.',
        expectedOutput: 'How many commits, and which.',
        run: slowly(collect),
      },
      {
        name: 'draft',
        agent: 'Writer',
        description: 'Draft the release notes from the commits.',
        expectedOutput: 'Release notes in Markdown.',
        humanInput: true,
        run: slowly((context) => write(context, model)),
      },
      {
        name: 'publish',
        agent: 'Publisher',
        description: 'Write the final text to a file.',
        expectedOutput: 'The final text, and where it is.',
        humanInput: true,
        run: slowly((context) => finalText(context, model)),
        whenApproved: (text, context) => publish(withoutRemark(asText(text)), context, outputFolder),
      },
    ],
  });
}

async function collect({ inputs: { repository, since }, step, signal }: Context) {
  const find = { thought: `Find ${since} in the history`, tool: 'git rev-parse', toolInput: repository };
  const range = await step(find, () => findRange(repository, since, signal));
  return step({ thought: 'Count the commits since then', tool: 'git log', toolInput: range.folder }, async () => {
    const commits = await readCommits(range, signal);
    const project = basename(range.folder);
    return { summary: `${commits.length} commits in ${project} since ${since}`, project, since, range };
  });
}

async function write(context: Context, model: Model | undefined): Promise<string> {
  const { allFeedback, round, step, signal } = context;
  const { range, ...facts } = collected.parse(outputOf('collect', context));
  const changes = (await readCommits(range, signal)).map(changeOf);
  const feedback = allFeedback.map(({ text }) => text);
  const last = feedback.at(-1)?.slice(0, 200);
  const thought = last === undefined ? 'Write the notes' : `Write the notes again (round ${round}) after: ${last}`;
  if (model === undefined) return step(thought, () => writeNotes(changes, facts, feedback));
  const earlier = context.previous ?? outputOf('draft', context);
  const previous = earlier === undefined ? undefined : asText(earlier);
  return step({ thought, tool: model.name }, () => askModel(model, { changes, facts, feedback, previous }, signal));
}

/** The approved draft; a new one where a note came with its approval, or the final text was rejected. */
async function finalText(context: Context, model: Model | undefined): Promise<string> {
  // What the bot sends for an approval without a note.
  const isSettled = context.feedback.every(({ approved, text }) => approved && text === 'Approved.');
  return isSettled ? withoutRemark(asText(outputOf('draft', context) ?? '')) : write(context, model);
}

/** The name is the execution's own, so that publishing again after a restart leaves one file. */
async function publish(text: string, context: Context, folder: string): Promise<string> {
  const { project } = collected.parse(outputOf('collect', context));
  const file = join(folder, `${project.replace(/[^\w.-]+/g, '-')}-${context.executionId.slice(0, 8)}.md`);
  await context.step({ thought: 'Write the file', tool: 'write', toolInput: file }, async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(file, `${text}\n`);
    return null;
  });
  return `Published to \`${file}\`\n\n${text}`;
}

function outputOf(task: string, { outputs }: Context): Json | undefined {
  return outputs.find((one) => one.task === task)?.output;
}
