import type { InputBlock, InputBlockElement, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { InputField } from '../../core/crew.ts';
import type { Inputs, Json } from '../../core/json.ts';
import { namesIn } from '../run/start-words.ts';
import { plain, section } from '../ui/blocks.ts';
import { parse } from '../ui/button-value.ts';
import {
  BLOCK_ID_LIMIT,
  HINT_LIMIT,
  METADATA_LIMIT,
  MODAL_BLOCKS,
  TYPED_TEXT_LIMIT,
  VIEW_BYTES,
} from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { cutLine } from '../ui/text/cut.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { crewPicker } from './crew-picker.ts';
import { fitsField, inputElement, isPrefilled, isTyped, type Room } from './input-element.ts';
import { fieldText, inputBlockId } from './input-field.ts';

/** The other blocks are for the picker and for what the form has to say. */
export const MOST_FIELDS = MODAL_BLOCKS - 10;
const LABEL_LENGTH = 150;
const HINT_LENGTH = HINT_LIMIT - 500;
const MOST_BYTES = VIEW_BYTES - 10_000;

/** What any form has room for. */
const LITTLE_ROOM: Room = { typed: 0, help: 0, options: 0 };
/** What forms have room for, from the usual ones to those of many fields. */
const ROOMS: Room[] = [
  { typed: TYPED_TEXT_LIMIT, help: 500, options: 500 },
  { typed: 500, help: 150, options: 100 },
];

export interface KickoffForm {
  /** All crews that can be started here; a picker is shown where there are several. */
  crews: string[];
  crew: string;
  /** The crew's inputs, in its order. */
  fields: InputField[];
  /** What is known already: from the command line, an earlier run, or the submission that the crew refused. */
  values: Inputs;
  /** The names that the crew said are missing. */
  missing: string[];
  /** What else went wrong before, as plain text; null where nothing did. */
  problem: string | null;
  /** How often this form was submitted before. */
  attempt: number;
  /** Names among the fields that the crew asked for although it doesn't report them. */
  unreported?: string[];
  channel: string;
}

/** The form of a start. Its `private_metadata` is read by `parseKickoffMetadata`, its values by `readKickoffForm`. */
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
  // A view with an input block, as the picker is, must have a submit button. It answers with the same words then.
  if (unfit !== null)
    return modal({
      ...common,
      ...(picker.length > 0 && { submit: 'Start' }),
      blocks: [...picker, section(`⚠️ ${unfit}`)],
    });
  const inRoom = (room: Room) =>
    modal({ ...common, submit: 'Start', blocks: [...notes(form), ...picker, ...inputs(form, room)] });
  return ROOMS.map(inRoom).find(isLightEnough) ?? inRoom(LITTLE_ROOM);
}

function isLightEnough(view: ModalView): boolean {
  return Buffer.byteLength(JSON.stringify(view)) <= MOST_BYTES;
}

/** Why no form can be shown for these inputs, escaped; null where one can. */
export function whyUnfit(fields: InputField[]): string | null {
  const long = fields.find(({ name }) => name.length > BLOCK_ID_LIMIT);
  if (long)
    return `An input of this crew has a name of ${long.name.length} characters (“${escapedLine(long.name, 60)}”), which is more than the ${BLOCK_ID_LIMIT} that a form can hold. Whoever runs the crew needs to shorten it.`;
  if (fields.length > MOST_FIELDS)
    return `This crew asks for ${fields.length} inputs, and a form in Slack holds ${MOST_FIELDS}. Please start it with \`/kickoff\` and \`name=value\` for each input, or from the crew’s own control panel.`;
  return null;
}

function notes({ missing, problem, fields }: KickoffForm): KnownBlock[] {
  const labels = missing.map((name) => fields.find((field) => field.name === name)?.label ?? name);
  const words =
    missing.length > 0 ? `⚠️ Still missing: ${escapeMrkdwn(namesIn(labels))}. Everything else is kept.` : null;
  const said = problem === null ? null : `⚠️ ${escapedLine(problem, 500)}`;
  return [words, said].filter((each) => each !== null).map((text) => section(text));
}

function inputs({ fields, values, missing, crew }: KickoffForm, room: Room): KnownBlock[] {
  if (fields.length === 0) return [section(`*${escapedLine(crew, 80)}* needs no inputs. Just start it.`)];
  return fields.map((field) => inputBlock(field, room, { values, missing }));
}

function inputBlock(
  field: InputField,
  room: Room,
  { values, missing }: Pick<KickoffForm, 'values' | 'missing'>,
): InputBlock {
  const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  const value = given === undefined ? (field.default ?? undefined) : given;
  const label = cutLine(field.label, LABEL_LENGTH) || 'Input';
  const element = inputElement(field, value, room);
  const isOptional = mayStayEmpty(field, element);
  const hint = hintOf(field, value, { room, isOptional });
  return {
    type: 'input',
    block_id: inputBlockId(field),
    label: plain(missing.includes(field.name) ? `⚠️ ${label} (missing)` : label),
    ...(hint !== '' && { hint: plain(hint, HINT_LENGTH) }),
    optional: isOptional,
    element,
  };
}

/** Only where a default doesn't already stand in the field: people see what will be sent. */
function mayStayEmpty(field: InputField, element: InputBlockElement): boolean {
  return field.default !== null && !isPrefilled(element);
}

function hintOf(
  field: InputField,
  value: Json | undefined,
  { room, isOptional }: { room: Room; isOptional: boolean },
): string {
  const { type, options, help } = field;
  const isLong = value !== undefined && isTyped(field, room) && !fitsField(field, value, room);
  const said = [
    isLong ? tooLong(fieldText(field, value).length, room) : '',
    room.help > 0 && help ? cutLine(help, room.help) : '',
    type === 'json' ? 'JSON, such as {"name": "value"} or ["a", "b"].' : '',
    type === 'choice' && options.length > room.options ? `One of ${options.length} choices, typed as they are.` : '',
    isOptional ? ifLeftEmpty(field) : '',
  ];
  return said.filter(Boolean).join(' ');
}

function ifLeftEmpty(field: InputField): string {
  const { default: preset } = field;
  return preset === '' ? '' : `If left empty: ${cutLine(fieldText(field, preset), 60)}`;
}

function tooLong(length: number, { typed }: Room): string {
  return length > TYPED_TEXT_LIMIT
    ? `The value so far has ${length} characters; a field holds ${TYPED_TEXT_LIMIT}. Please give a shorter one.`
    : `The value so far has ${length} characters; this form is too full for more than ${typed} a field. Please type it again.`;
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

/** Null for metadata that is not ours. */
export function parseKickoffMetadata(value: string): KickoffMetadata | null {
  return parse(kickoffMetadata, value);
}
