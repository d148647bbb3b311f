import { heldElements } from '../block-kit/interactive.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Block } from '../people-api.ts';
import type { ElementInput, ViewInputs } from '../person-actions.ts';
import type { Workflow, WorkflowField } from '../workflow.ts';

/** The form of a workflow as blocks, for the page to show like any other. */
export function formBlocks({ form = [] }: Workflow): Block[] {
  return form.map((field) => ({
    type: 'input',
    block_id: field.name,
    label: { type: 'plain_text', text: field.label },
    optional: field.isOptional === true,
    element: { ...elementOf(field), action_id: 'value' },
  }));
}

function elementOf({ type }: WorkflowField): JsonObject {
  switch (type) {
    case 'text':
      return { type: 'plain_text_input' };
    case 'long-text':
      return { type: 'plain_text_input', multiline: true };
    case 'number':
      return { type: 'number_input', is_decimal_allowed: true };
    case 'person':
      return { type: 'users_select' };
    case 'channel':
      return { type: 'conversations_select', filter: { include: ['public', 'private'] } };
  }
}

/** Returns the answers by the names of the fields: texts, numbers and ids. */
export function answersIn(form: readonly Block[], inputs: ViewInputs): JsonObject {
  const answers: JsonObject = {};
  for (const { block, element } of heldElements(form)) {
    const name = String(block.block_id);
    const input = inputs[name]?.[String(element.action_id)];
    const answer = input && answerOf(element, input);
    if (answer !== undefined) answers[name] = answer;
  }
  return answers;
}

function answerOf({ type }: JsonObject, input: ElementInput): Json | undefined {
  if (input.kind === 'ids') return input.ids[0];
  if (input.kind !== 'text' || input.value === '') return undefined;
  return type === 'number_input' ? Number(input.value) : input.value;
}
