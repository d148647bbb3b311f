import { setTimeout as pause } from 'node:timers/promises';
import { type Crew, defineFlow, type HumanFeedback, z } from '../crew.ts';
import { withEdits, withoutEdits } from './edits.ts';
import { follow, type Instruction, lengthInstructions, withoutRemark, withRemark } from './instructions.ts';

/**
 * A flow that writes an announcement, and asks whether to publish it: `approved` publishes it, `rejected` archives it, and
 * `needs_revision` writes it again by the feedback. One that continues an earlier run's state asks about the text of that one.
 * @param taskDelayMs how long each method takes at least, so that a person can watch
 */
export function contentReviewFlow({ taskDelayMs = 0 }: { readonly taskDelayMs?: number } = {}): Crew {
  const work = (signal: AbortSignal) => pause(taskDelayMs, undefined, { signal });
  return defineFlow({
    name: 'content-review',
    inputs: { topic: z.string().trim().min(1), highlights: z.string().trim().min(1) },
    methods: {
      write: {
        description: 'Write the announcement.',
        humanFeedback: {
          message: 'Is this announcement ready to be published?',
          emit: { approved: 'publish', rejected: 'archive', needs_revision: 'write' },
          defaultOutcome: 'needs_revision',
        },
        async run({ inputs, outputs, round, humanFeedback, signal }) {
          await work(signal);
          if (round === 1 && outputs.write !== undefined) return withoutRemark(outputs.write);
          return writeAnnouncement(inputs, humanFeedback.map(remarkIn));
        },
      },
      publish: {
        description: 'Publish the announcement.',
        async run({ outputs, step, signal }) {
          await work(signal);
          const text = withoutRemark(outputs.write ?? '');
          return step({ thought: 'Publish the announcement', tool: 'publish' }, () => `Published.\n\n${text}`);
        },
      },
      archive: {
        description: 'Put the announcement aside.',
        async run({ humanFeedback, signal }) {
          await work(signal);
          const why = humanFeedback.map(remarkIn).at(-1);
          return why ? `Archived, since the reviewer said: ${why}` : 'Archived.';
        },
      },
    },
  });
}

/** Returns the words beside the outcome, as in "needs_revision: shorter". */
function remarkIn({ outcome, feedback }: HumanFeedback): string {
  const isNamed = outcome !== null && feedback.trim().toLowerCase().startsWith(outcome.toLowerCase());
  return isNamed
    ? feedback
        .trim()
        .slice(outcome.length)
        .replace(/^[\s:.,;–-]+/, '')
    : feedback.trim();
}

type Content = { readonly topic: string; readonly highlights: string };
type Style = { readonly title: string | undefined; readonly perSection: number };

const INSTRUCTIONS: readonly Instruction<Style>[] = [
  ...lengthInstructions<Style>(),
  { form: 'title: TEXT', change: (style, title) => ({ ...style, title }) },
];

/** Returns Markdown that follows all feedback, oldest first; a remark above it names the parts of the last that it didn't understand. */
function writeAnnouncement({ topic, highlights }: Content, feedback: readonly string[]): string {
  const points = highlights.split('\n').filter((line) => line.trim() !== '');
  const first: Style = { title: undefined, perSection: points.length };
  const { style, notUnderstood } = follow(INSTRUCTIONS, feedback.map(withoutEdits), first);
  const list = points.slice(0, style.perSection).map((point) => `- ${point.replace(/^[-*•]\s+/, '').trim()}`);
  const text = [`# ${style.title ?? topic}`, `${topic} is here. What it brings:`, list.join('\n')].join('\n\n');
  const { draft, notMade } = withEdits(text, feedback);
  return withRemark(draft, { notUnderstood, notMade }, INSTRUCTIONS);
}
