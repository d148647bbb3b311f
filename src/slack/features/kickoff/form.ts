import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { inputFields } from '../../../core/policy/crew.ts';
import type { KickoffRefusal } from '../../../core/state/execution.ts';
import type { CrewRefusal } from '../../../core/state/request.ts';
import type { InputField } from '../../../core/values/input-field.ts';
import type { Inputs } from '../../../core/values/json.ts';
import { SHARINGS, type Sharing } from '../../api/channels.ts';
import { ANSWER_WITHIN_MS, soon } from '../../api/soon.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { quotedNames } from '../../request/status-text.ts';
import { context, plain, section } from '../../ui/blocks.ts';
import { codec, type FormValues, tickedIn } from '../../ui/button-value.ts';
import { type FieldBudget, type FormState, inputBlock } from '../../ui/form-inputs.ts';
import { matchInputs } from '../../ui/input-values.ts';
import { checkbox, input } from '../../ui/inputs.ts';
import { BLOCK_ID_LIMIT, METADATA_LIMIT, MODAL_BLOCKS, TYPED_TEXT_LIMIT, VIEW_BYTES } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { crewPicker, type OfferedCrew } from './crew-picker.ts';
import { refusedState } from './form-refusal.ts';
import { inputsTroubleModal } from './trouble.ts';

// The form that starts a crew: its fields, its modal, and what is read from it. The command, shortcuts and *Run again* open it.

export interface FormRequest {
  crew: string;
  crews: readonly string[];
  channel: string;
  /** If other organisations may see the channel, the starter has to agree. */
  sharing: Sharing;
  /** Default: `place`. */
  channelFrom?: ChannelFrom;
  attempt: number;
  /** A crew whose earlier start isn't confirmed, so that it may be running already. */
  unconfirmed?: string | undefined;
  values: Inputs;
  /** Values of a command line, by the names that were typed; they replace `values`. */
  typed?: Record<string, string> | undefined;
  /** Another problem; mrkdwn. */
  problem?: string;
  /** The crew's refusal of these values; null if there is none. */
  refused?: KickoffRefusal | null;
}

type FieldsAnswer =
  /** `unreported`: names among the fields that the service doesn't report. */
  { kind: 'fields'; fields: InputField[]; unreported: string[] } | { kind: 'unknown'; code: CrewRefusal };

export type FormPorts = Pick<ListenerContext, 'crews' | 'crewInputs'>;

/** Returns the fields of a crew's form: the inputs that the service reports, with the operator's hints, then those it missed before. Never throws. */
export async function fieldsOf(
  { crews, crewInputs }: FormPorts,
  crew: string,
  names: string[] = [],
): Promise<FieldsAnswer> {
  const answer = await crewInputs.inputs(crew);
  switch (answer.kind) {
    case 'inputs': {
      const unreported = [...new Set(names)].filter((name) => !answer.names.includes(name));
      const fields = inputFields([...answer.names, ...unreported], crews.get(crew)?.inputs ?? {});
      return { kind: 'fields', fields, unreported };
    }
    case 'refused':
      return { kind: 'unknown', code: answer.code };
    case 'unreadable':
    case 'error':
      return { kind: 'unknown', code: 'other' };
    case 'unreachable':
    case 'busy':
      return { kind: 'unknown', code: answer.kind };
  }
}

/** Works like `fieldsOf`, but resolves to null if the crew takes too long for Slack. Its answer is then cached for the next attempt. */
export function fieldsSoon(ports: FormPorts, crew: string, names: string[] = []): Promise<FieldsAnswer | null> {
  return soon(ANSWER_WITHIN_MS, fieldsOf(ports, crew, names), null);
}

/** Returns the form for a start, or, if the crew doesn't say what it needs, the reason and a button to ask again. Never throws. */
export async function formView(ports: FormPorts, request: FormRequest, say: Say): Promise<ModalView> {
  const { crew, typed = {}, refused = null, channelFrom = 'place' } = request;
  // If values that the crew doesn't report were dropped, it would ask for them again and again.
  const answer = await fieldsOf(ports, crew, [...Object.keys(request.values), ...(refused?.missing ?? [])]);
  if (answer.kind === 'unknown')
    return inputsTroubleModal(
      { crew, code: answer.code, metadata: fittingMetadata({ ...request, typed, channelFrom, unreported: [] }) },
      say,
    );
  const { fields, unreported } = answer;
  const match = matchInputs(typed, fields, say);
  const unknown = escapeMrkdwn(quotedNames(match.unknown, say));
  const problems = [request.problem ?? '', unknown && say('line.unknown-inputs', { names: unknown })].filter(Boolean);
  const notes = problems.length === 0 ? [] : [section(`⚠️ ${problems.join(' ')} ${say('form.nothing-yet')}`)];
  const values = request.typed ? match.inputs : request.values;
  const state = refused ? refusedState(refused, { crew, fields, say }) : { missing: [], wrong: match.wrong, notes };
  const crews = request.crews.map((name) => offeredCrew(ports, name));
  return kickoffForm({ ...request, ...state, values, channelFrom, crews, fields, unreported, say });
}

function offeredCrew({ crews }: Pick<FormPorts, 'crews'>, name: string): OfferedCrew {
  return { name, description: crews.get(name)?.description ?? null };
}

interface UnchosenForm extends Pick<FormRequest, 'crews' | 'channel' | 'sharing'> {
  typed: Record<string, string>;
  problem: string;
}

/** Returns the form for a start whose crew a person has to choose first. What they typed is filled in afterwards. */
export function unchosenForm(
  ports: Pick<FormPorts, 'crews'>,
  { crews, problem, ...place }: UnchosenForm,
  say: Say,
): ModalView {
  const metadata = fittingMetadata({ ...place, crew: null, attempt: 0, unreported: [], channelFrom: 'place' });
  const isKept = kickoffMetadata.read(metadata)?.typed !== undefined;
  const offered = crews.map((name) => offeredCrew(ports, name));
  const notes = [problem, say('form.nothing-yet'), ...(isKept ? [] : [say('form.not-kept')])];
  return modal(say, {
    callbackId: 'kickoff',
    title: say('start.title'),
    submit: say('form.start'),
    close: say('modal.cancel'),
    metadata,
    blocks: [section(`⚠️ ${notes.join(' ')}`), ...crewPicker(offered, { crew: null, actionId: 'pick_crew', say })],
  });
}

/** Leaves blocks for the crew picker, the question about a shared channel, and notes. */
const MOST_FIELDS = MODAL_BLOCKS - 15;
const MOST_BYTES = VIEW_BYTES - 10_000;

const SMALLEST_BUDGET: FieldBudget = { typed: 0, help: 0, options: 0 };
const BUDGETS: FieldBudget[] = [
  { typed: TYPED_TEXT_LIMIT, help: 500, options: 500 },
  { typed: 500, help: 150, options: 100 },
];

/** Values come from the command line, an earlier run, or a submission that the crew refused. */
interface KickoffForm extends FormState, Omit<FormRequest, 'crews' | 'values' | 'typed' | 'problem' | 'refused'> {
  crews: readonly OfferedCrew[];
  fields: InputField[];
  /** Notes above everything, at most five blocks. */
  notes: readonly KnownBlock[];
  /** Names of fields that the crew missed without reporting them as inputs. */
  unreported?: string[];
  say: Say;
}

/** Renders the kickoff form. `kickoffMetadata` reads its metadata, `readFields` its values. */
export function kickoffForm(form: KickoffForm): ModalView {
  const { crew, fields, say, unreported = [], channelFrom = 'place' } = form;
  const unfit = reasonUnfit(fields, say);
  const picker = crewPicker(form.crews, { crew, actionId: 'pick_crew', say });
  const common = {
    callbackId: 'kickoff' as const,
    title: say('start.title'),
    close: say(channelFrom === 'choice' ? 'modal.back' : 'modal.cancel'),
    metadata: fittingMetadata({ ...form, channelFrom, unreported }),
  };
  // The picker is an input block, and a view that has one must have a submit button. Submitting shows the same text.
  if (unfit !== null)
    return modal(say, {
      ...common,
      ...(form.crews.length > 1 && { submit: say('form.start') }),
      blocks: [...form.notes, ...picker, section(`⚠️ ${unfit}`)],
    });
  const notes = notesOf(form);
  const question = sharingQuestion(form.sharing, say);
  const withBudget = (budget: FieldBudget) =>
    modal(say, {
      ...common,
      submit: say(canRunTwice(form) ? 'reply.run-again' : 'form.start'),
      blocks: [...notes, ...picker, ...fieldBlocks(form, budget), ...question],
    });
  for (const budget of BUDGETS) {
    const view = withBudget(budget);
    if (Buffer.byteLength(JSON.stringify(view)) <= MOST_BYTES) return view;
  }
  return withBudget(SMALLEST_BUDGET);
}

/** Explains why no form can hold these inputs, escaped; null if one can. */
function reasonUnfit(fields: InputField[], say: Say): string | null {
  const long = fields.find(({ name }) => name.length > BLOCK_ID_LIMIT);
  if (long) {
    const name = escapedLine(long.name, 60);
    return say('form.long-name', { name, length: long.name.length, most: BLOCK_ID_LIMIT });
  }
  return fields.length > MOST_FIELDS ? say('form.too-many', { count: fields.length, most: MOST_FIELDS }) : null;
}

function notesOf(form: KickoffForm): KnownBlock[] {
  const { crew, missing, wrong, notes, fields, channel, channelFrom, say } = form;
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name;
  const labels = (names: readonly string[]) => escapeMrkdwn(quotedNames(names.map(labelOf), say));
  const toCheck = Object.keys(wrong).filter((name) => !missing.includes(name));
  return [
    ...notes,
    ...(canRunTwice(form) ? [section(`❓ ${say('start.may-run-twice', { crew: escapedLine(crew, 80) })}`)] : []),
    ...(missing.length > 0 ? [section(`⚠️ ${say('form.still-missing', { names: labels(missing) })}`)] : []),
    ...(toCheck.length > 0 ? [section(`⚠️ ${say('form.check', { names: labels(toCheck) })}`)] : []),
    ...(channelFrom === 'choice' ? [context(say('form.runs-in', { channel: `<#${escapeMrkdwn(channel)}>` }))] : []),
  ];
}

function canRunTwice({ crew, unconfirmed }: Pick<KickoffForm, 'crew' | 'unconfirmed'>): boolean {
  return crew === unconfirmed;
}

function fieldBlocks({ fields, crew, say, ...state }: KickoffForm, budget: FieldBudget): KnownBlock[] {
  if (fields.length === 0) return [section(say('form.no-inputs', { crew: escapedLine(crew, 80) }))];
  return fields.map((field) => inputBlock(field, budget, state, say));
}

export const SHARING_BLOCK = 'sharing';

/** Asks the starter to agree before a run posts in a channel that another organisation sees, or may see. */
function sharingQuestion(sharing: Sharing, say: Say): KnownBlock[] {
  if (sharing === 'own') return [];
  return [
    section(`⚠️ ${say(sharing === 'shared' ? 'form.shared' : 'form.maybe-shared')}`),
    input(SHARING_BLOCK, {
      label: say('form.share-label'),
      element: checkbox('agree', { text: plain(say('form.share')), value: 'agreed' }),
    }),
  ];
}

/** Returns true if the starter agreed. Slack doesn't submit the form otherwise, but nothing is posted on Slack's word alone. */
export function isAgreed(sharing: Sharing, values: FormValues): boolean {
  return sharing === 'own' || tickedIn(values, SHARING_BLOCK).length > 0;
}

/** The data that a kickoff form carries from its opening to its submission. */
export const kickoffMetadata = codec(
  z.object({
    crew: z.string().nullable(),
    /** Values that were typed for a form that doesn't show them yet; left out if they are too long. */
    typed: z.record(z.string(), z.string()).optional(),
    channel: z.string(),
    attempt: z.number().int(),
    unconfirmed: z.string().optional(),
    unreported: z.array(z.string()).default([]),
    sharing: z.enum(SHARINGS).default('own'),
    channelFrom: z.enum(['place', 'choice']).default('place'),
  }),
);
export type KickoffMetadata = NonNullable<ReturnType<typeof kickoffMetadata.read>>;

/** Tells whether the run goes to the channel of the form, or to one that the starter chose in the modal below it. */
export type ChannelFrom = KickoffMetadata['channelFrom'];

/** The rest of the metadata is short. */
const LONGEST_OF_INPUTS = METADATA_LIMIT - 500;

function fittingMetadata({ typed, unreported, ...metadata }: KickoffMetadata): string {
  const fits = JSON.stringify({ typed, unreported }).length <= LONGEST_OF_INPUTS;
  return kickoffMetadata.write(fits ? { ...metadata, typed, unreported } : { ...metadata, unreported: [] });
}
