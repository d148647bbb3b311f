import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { InputField } from '../../core/crew.ts';
import type { Inputs } from '../../core/json.ts';
import { quotedNames } from '../run/kickoff-trouble-text.ts';
import { section } from '../ui/blocks.ts';
import { parse } from '../ui/button-value.ts';
import { BLOCK_ID_LIMIT, METADATA_LIMIT, MODAL_BLOCKS, TYPED_TEXT_LIMIT, VIEW_BYTES } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { crewPicker } from './crew-picker.ts';
import { inputBlock } from './input-block.ts';
import type { FieldBudget } from './input-element.ts';

/** Leaves blocks for the picker and the form's own notes. */
const MOST_FIELDS = MODAL_BLOCKS - 10;
const MOST_BYTES = VIEW_BYTES - 10_000;

/** Small enough for any form. */
const SMALLEST_BUDGET: FieldBudget = { typed: 0, help: 0, options: 0 };
/** For usual forms, and for those with many fields. */
const BUDGETS: FieldBudget[] = [
  { typed: TYPED_TEXT_LIMIT, help: 500, options: 500 },
  { typed: 500, help: 150, options: 100 },
];

interface KickoffForm {
  /** The crews that the person can pick; if there are several, the form has a picker. */
  crews: string[];
  crew: string;
  /** The crew's inputs, in its order. */
  fields: InputField[];
  /** Known values: from the command line, an earlier run, or the submission that the crew refused. */
  values: Inputs;
  /** The names that the crew said are missing. */
  missing: string[];
  /** What else went wrong before; plain text, null if nothing did. */
  problem: string | null;
  /** How often this form was submitted before. */
  attempt: number;
  /** Names of fields that the crew asked for without reporting them as inputs. */
  unreported?: string[];
  channel: string;
}

/** The kickoff form. Its `private_metadata` is read by `parseKickoffMetadata`, its values by `readKickoffForm`. */
export function kickoffForm(form: KickoffForm): ModalView {
  const { crew, channel, attempt, fields, unreported = [] } = form;
  const unfit = whyUnfit(fields);
  const picker = crewPicker(form.crews, crew);
  const common = {
    callbackId: 'kickoff' as const,
    title: 'Start a crew',
    close: 'Cancel',
    metadata: metadata({ crew, channel, attempt, unreported }),
  };
  // The picker is an input block, and a view that has one must have a submit button. Submitting shows the same text.
  if (unfit !== null)
    return modal({
      ...common,
      ...(picker.length > 0 && { submit: 'Start' }),
      blocks: [...picker, section(`⚠️ ${unfit}`)],
    });
  const withBudget = (budget: FieldBudget) =>
    modal({ ...common, submit: 'Start', blocks: [...notes(form), ...picker, ...inputs(form, budget)] });
  return BUDGETS.map(withBudget).find(isSmallEnough) ?? withBudget(SMALLEST_BUDGET);
}

function isSmallEnough(view: ModalView): boolean {
  return Buffer.byteLength(JSON.stringify(view)) <= MOST_BYTES;
}

/** Why no form can hold these inputs, escaped; null if one can. */
function whyUnfit(fields: InputField[]): string | null {
  const long = fields.find(({ name }) => name.length > BLOCK_ID_LIMIT);
  if (long)
    return `An input of this crew has a name of ${long.name.length} characters (“${escapedLine(long.name, 60)}”), which is more than the ${BLOCK_ID_LIMIT} that a form can hold. Whoever runs the crew needs to shorten it.`;
  if (fields.length > MOST_FIELDS)
    return `This crew asks for ${fields.length} inputs, and a form in Slack holds ${MOST_FIELDS}. Please start it with \`/kickoff\` and \`name=value\` for each input, or from the crew’s own control panel.`;
  return null;
}

function notes({ missing, problem, fields }: KickoffForm): KnownBlock[] {
  const labels = missing.map((name) => fields.find((field) => field.name === name)?.label ?? name);
  const warning =
    missing.length > 0 ? `⚠️ Still missing: ${escapeMrkdwn(quotedNames(labels))}. Everything else is kept.` : null;
  const said = problem === null ? null : `⚠️ ${escapedLine(problem, 500)}`;
  return [warning, said].filter((each) => each !== null).map((text) => section(text));
}

function inputs({ fields, values, missing, crew }: KickoffForm, budget: FieldBudget): KnownBlock[] {
  if (fields.length === 0) return [section(`*${escapedLine(crew, 80)}* needs no inputs. Just start it.`)];
  return fields.map((field) => inputBlock(field, budget, { values, missing }));
}

export interface KickoffMetadata {
  crew: string;
  channel: string;
  attempt: number;
  unreported: string[];
}

/** The rest of the metadata is short. */
const UNREPORTED_LIMIT = METADATA_LIMIT - 500;

function metadata({ crew, channel, attempt, unreported }: KickoffMetadata): string {
  const fits = JSON.stringify(unreported).length <= UNREPORTED_LIMIT;
  return JSON.stringify({ crew, channel, attempt, unreported: fits ? unreported : [] });
}

const kickoffMetadata = z.object({
  crew: z.string(),
  channel: z.string(),
  attempt: z.number().int(),
  unreported: z.array(z.string()).default([]),
});

/** Null if the metadata isn't that of a kickoff form. */
export function parseKickoffMetadata(value: string): KickoffMetadata | null {
  return parse(kickoffMetadata, value);
}
