import { isObject, type Json, type JsonObject, objectsAt, stringAt } from '../json.ts';
import { richTextElement } from './rich-text.ts';
import {
  BLOCK_KIT_DOCS,
  type BlockProblem,
  boolean,
  type Fields,
  identifier,
  list,
  literal,
  optional,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';

const TASK_DOCS = `${BLOCK_KIT_DOCS}/blocks/task-card-block`;
const PLAN_DOCS = `${BLOCK_KIT_DOCS}/blocks/plan-block`;

/** “A plan holds up to 50 task cards”: https://github.com/slackapi/slack-skills-plugin/blob/b6cab8c/skills/block-kit/references/agent-progress-design.md */
const MOST_TASKS = 50;

const text = required(string({ min: 1 }));

/** “A single rich_text entity”: one block with one element. */
const richText: Rule = shape(
  {
    type: literal('rich_text'),
    block_id: identifier,
    elements: required(list(richTextElement, { min: 1, max: 1 })),
  },
  TASK_DOCS,
);

/** https://docs.slack.dev/reference/block-kit/block-elements/url-source-element */
const source: Rule = shape(
  { type: literal('url'), url: text, text },
  `${BLOCK_KIT_DOCS}/block-elements/url-source-element`,
);

/** https://docs.slack.dev/reference/block-kit/blocks/task-card-block and `TaskCardBlock` in `@slack/types` */
export const TASK_CARD: Fields = {
  task_id: text,
  title: text,
  status: required(string({ of: ['pending', 'in_progress', 'complete', 'error'] })),
  details: optional(richText),
  output: optional(richText),
  sources: optional(list(source, {})),
  hide_title: optional(boolean),
};

const task: Rule = shape({ type: literal('task_card'), block_id: identifier, ...TASK_CARD }, TASK_DOCS);

/** https://docs.slack.dev/reference/block-kit/blocks/plan-block */
export const PLAN: Fields = { title: text, tasks: optional(list(task, { max: MOST_TASKS })) };

/** “Each `task_id` in a plan must be unique.” */
export function repeatedTasks(plan: JsonObject): string[] {
  const ids = objectsAt(plan, 'tasks').flatMap((one) => stringAt(one, 'task_id') ?? []);
  const repeated = new Set(ids.filter((id, at) => ids.indexOf(id) !== at));
  return [...repeated].map((id) => `\`task_id\` "${id}" already exists`);
}

/** A message shows tasks in a plan or one by one. */
export function checkTasks(blocks: readonly Json[], pointer: string): BlockProblem[] {
  const types = new Set(blocks.filter(isObject).map(({ type }) => type));
  if (!types.has('plan') || !types.has('task_card')) return [];
  return [{ pointer, message: 'plan and task_card blocks exclude each other', documentation: PLAN_DOCS }];
}
