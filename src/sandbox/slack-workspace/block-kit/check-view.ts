import { isObject, type Json, type JsonObject } from '../json.ts';
import { checkBlocks } from './blocks.ts';
import { checkTables } from './check-message.ts';
import { plainText } from './composition.ts';
import {
  anything,
  type BlockProblem,
  boolean,
  type Fields,
  literal,
  optional,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';

const MODAL_DOCS = 'https://docs.slack.dev/reference/views/modal-views';
const HOME_DOCS = 'https://docs.slack.dev/reference/views/home-tab-views';

/** https://docs.slack.dev/surfaces/modals */
const VIEW_BYTES_LIMIT = 250_000;

const common: Fields = {
  blocks: required(anything),
  private_metadata: optional(string({ max: 3000 })),
  callback_id: optional(string({ max: 255 })),
  external_id: optional(string({ max: 255 })),
};

const modal: Rule = shape(
  {
    ...common,
    type: literal('modal'),
    title: required(plainText(24)),
    submit: optional(plainText(24)),
    close: optional(plainText(24)),
    clear_on_close: optional(boolean),
    notify_on_close: optional(boolean),
    submit_disabled: optional(boolean),
  },
  MODAL_DOCS,
  (view) => (hasInputs(view) && !isObject(view.submit) ? ['submit is required when the view has input blocks'] : []),
);

const home: Rule = shape({ ...common, type: literal('home') }, HOME_DOCS);

function hasInputs(view: JsonObject): boolean {
  return Array.isArray(view.blocks) && view.blocks.some((block) => isObject(block) && block.type === 'input');
}

/** Validates a modal or home view. An empty list means that Slack accepts it. */
export function checkView(view: Json, pointer = '/view'): BlockProblem[] {
  if (!isObject(view)) return [{ pointer, message: 'must provide an object', documentation: MODAL_DOCS }];
  const problems: BlockProblem[] = [];
  const rule = view.type === 'home' ? home : modal;
  rule(view, pointer, (at, message, documentation) =>
    problems.push({ pointer: at, message, documentation: documentation ?? MODAL_DOCS }),
  );
  if (view.blocks === undefined) return problems;
  const blocks = checkBlocks(view.blocks, view.type === 'home' ? 'home' : 'modal', `${pointer}/blocks`);
  return [...problems, ...blocks, ...checkEachTable(view.blocks, `${pointer}/blocks`)];
}

/** The limit that a message has for all its tables together is one for each here. */
function checkEachTable(blocks: Json, pointer: string): BlockProblem[] {
  return Array.isArray(blocks) ? blocks.flatMap((block, index) => checkTables([block], `${pointer}/${index}`)) : [];
}

export function viewIsTooLarge(view: Json): boolean {
  return Buffer.byteLength(JSON.stringify(view)) > VIEW_BYTES_LIMIT;
}
