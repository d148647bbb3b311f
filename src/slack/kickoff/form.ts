import type { KnownBlock, ModalView } from '@slack/types';
import type { InputField } from '../../core/crew.ts';
import type { Sharing } from '../api/channels.ts';
import type { Say } from '../language/say.ts';
import { quotedNames } from '../run/kickoff-trouble-text.ts';
import { context, section } from '../ui/blocks.ts';
import { BLOCK_ID_LIMIT, MODAL_BLOCKS, TYPED_TEXT_LIMIT, VIEW_BYTES } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { crewPicker, type OfferedCrew } from './crew-picker.ts';
import { type FormState, inputBlock } from './input-block.ts';
import type { FieldBudget } from './input-element.ts';
import { type ChannelFrom, kickoffMetadata } from './kickoff-metadata.ts';
import { sharingQuestion } from './sharing.ts';

/** Leaves blocks for the picker, the question about a shared channel, and notes. */
const MOST_FIELDS = MODAL_BLOCKS - 15;
const MOST_BYTES = VIEW_BYTES - 10_000;

/** Small enough for any form. */
const SMALLEST_BUDGET: FieldBudget = { typed: 0, help: 0, options: 0 };
/** For usual forms, and for those with many fields. */
const BUDGETS: FieldBudget[] = [
  { typed: TYPED_TEXT_LIMIT, help: 500, options: 500 },
  { typed: 500, help: 150, options: 100 },
];

/** The values are known from the command line, an earlier run, or the submission that the crew refused. */
interface KickoffForm extends FormState {
  /** The crews that the person can pick; if there are several, the form has a picker. */
  crews: readonly OfferedCrew[];
  crew: string;
  /** The crew's inputs, in its order. */
  fields: InputField[];
  /** What else there is to say, above everything; at most five blocks. */
  notes: readonly KnownBlock[];
  /** How often this form was submitted before. */
  attempt: number;
  /** Names of fields that the crew asked for without reporting them as inputs. */
  unreported?: string[];
  channel: string;
  /** Default: `place`. */
  channelFrom?: ChannelFrom;
  /** Whether the starter is asked before the channel sees anything. */
  sharing: Sharing;
  say: Say;
}

/** The kickoff form. Its `private_metadata` is read by `parseKickoffMetadata`, its values by `readKickoffForm`. */
export function kickoffForm(form: KickoffForm): ModalView {
  const { crew, fields, say, unreported = [], channelFrom = 'place' } = form;
  const unfit = whyUnfit(fields, say);
  const picker = crewPicker(form.crews, { crew, actionId: 'pick_crew', say });
  const common = {
    callbackId: 'kickoff' as const,
    title: say('start.title'),
    close: say(channelFrom === 'choice' ? 'modal.back' : 'form.cancel'),
    metadata: kickoffMetadata({ ...form, channelFrom, unreported }),
  };
  // The picker is an input block, and a view that has one must have a submit button. Submitting shows the same text.
  if (unfit !== null)
    return modal({
      ...common,
      ...(form.crews.length > 1 && { submit: say('form.start') }),
      blocks: [...form.notes, ...picker, section(`⚠️ ${unfit}`)],
    });
  const [notes, question] = [notesOf(form), sharingQuestion(form.sharing, say)];
  const withBudget = (budget: FieldBudget) =>
    modal({
      ...common,
      submit: say('form.start'),
      blocks: [...notes, ...picker, ...inputs(form, budget), ...question],
    });
  return BUDGETS.map(withBudget).find(isSmallEnough) ?? withBudget(SMALLEST_BUDGET);
}

function isSmallEnough(view: ModalView): boolean {
  return Buffer.byteLength(JSON.stringify(view)) <= MOST_BYTES;
}

/** Why no form can hold these inputs, escaped; null if one can. */
function whyUnfit(fields: InputField[], say: Say): string | null {
  const long = fields.find(({ name }) => name.length > BLOCK_ID_LIMIT);
  if (long) {
    const name = escapedLine(long.name, 60);
    return say('form.long-name', { name, length: long.name.length, most: BLOCK_ID_LIMIT });
  }
  return fields.length > MOST_FIELDS ? say('form.too-many', { count: fields.length, most: MOST_FIELDS }) : null;
}

function notesOf({ missing, wrong, notes, fields, channel, channelFrom, say }: KickoffForm): KnownBlock[] {
  const named = (names: readonly string[]) =>
    escapeMrkdwn(
      quotedNames(
        names.map((name) => fields.find((field) => field.name === name)?.label ?? name),
        say,
      ),
    );
  const toCheck = Object.keys(wrong).filter((name) => !missing.includes(name));
  return [
    ...notes,
    ...(missing.length > 0 ? [section(`⚠️ ${say('form.still-missing', { names: named(missing) })}`)] : []),
    ...(toCheck.length > 0 ? [section(`⚠️ ${say('form.check', { names: named(toCheck) })}`)] : []),
    ...(channelFrom === 'choice' ? [context(say('form.runs-in', { channel: `<#${escapeMrkdwn(channel)}>` }))] : []),
  ];
}

function inputs({ fields, crew, say, ...state }: KickoffForm, budget: FieldBudget): KnownBlock[] {
  if (fields.length === 0) return [section(say('form.no-inputs', { crew: escapedLine(crew, 80) }))];
  return fields.map((field) => inputBlock(field, budget, state, say));
}
