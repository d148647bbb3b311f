import { z } from 'zod';
import type { TaskDescription } from '../crew-description.ts';
import { CREW_NAME } from '../define-crew.ts';
import { script } from '../sandbox-api/scripted-crew.ts';

const text = z.string();

const task: z.ZodType<TaskDescription> = z.object({
  ...{ name: text, agent: text, role: text, goal: text, description: text, expectedOutput: text },
  ...{ humanInput: z.boolean(), finishes: z.boolean() },
  timeLimitMs: z.number().positive().optional(),
  retries: z.number().int().nonnegative().optional(),
  group: z.number().int().optional(),
  isConditional: z.boolean().optional(),
});

const named = { name: text.regex(CREW_NAME), inputNames: z.array(text) };

/** What a process says of the crews of its file. */
export const describedCrews = z.array(
  z.discriminatedUnion('kind', [
    z.object({
      ...named,
      kind: z.literal('coded'),
      tasks: z.array(task).min(1, 'is a crew without tasks'),
    }),
    z.object({ ...named, kind: z.literal('scripted'), script }),
  ]),
);

export type DescribedCrew = z.infer<typeof describedCrews>[number];
