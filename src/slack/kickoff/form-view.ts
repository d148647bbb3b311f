import type { ModalView } from '@slack/types';
import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { Crew, InputField } from '../../core/crew.ts';
import { inputFields } from '../../core/crew.ts';
import type { KickoffRefusal } from '../../core/execution/execution.ts';
import type { Inputs } from '../../core/json.ts';
import type { CrewInputs } from '../../core/ports.ts';
import type { Sharing } from '../api/channels.ts';
import type { Say } from '../language/say.ts';
import { section } from '../ui/blocks.ts';
import { kickoffForm } from './form.ts';
import { type ChannelFrom, kickoffMetadata } from './kickoff-metadata.ts';
import { whatWasRefused } from './refused-inputs.ts';
import { inputsTroubleModal } from './trouble.ts';

/** What a form is to show. */
export interface FormRequest {
  crew: string;
  /** The crews that the person can pick. */
  crews: readonly string[];
  channel: string;
  sharing: Sharing;
  /** Default: `place`. */
  channelFrom?: ChannelFrom;
  attempt: number;
  values: Inputs;
  /** What is wrong with a value, by the name of its input; plain text. */
  wrong?: Readonly<Record<string, string>>;
  /** What else is wrong; mrkdwn. */
  problem?: string;
  /** Why the crew refused these values; null if it hasn't. */
  refused?: KickoffRefusal | null;
}

/** What is known about a crew's form. */
type FieldsAnswer =
  | {
      kind: 'fields';
      fields: InputField[];
      /** The names among them that the service doesn't report. */
      unreported: string[];
    }
  | { kind: 'unknown'; code: CrewRefusal };

export interface FormPorts {
  crews: ReadonlyMap<string, Crew>;
  crewInputs: CrewInputs;
}

/**
 * The fields of a crew's form: the inputs that the service reports, with the operator's hints, followed by those it has asked
 * for without reporting them. Never throws.
 */
export async function fieldsOf(
  { crews, crewInputs }: FormPorts,
  crew: string,
  wanted: string[] = [],
): Promise<FieldsAnswer> {
  const answer = await crewInputs.inputs(crew);
  switch (answer.kind) {
    case 'inputs': {
      const unreported = [...new Set(wanted)].filter((name) => !answer.names.includes(name));
      const fields = inputFields([...answer.names, ...unreported], crews.get(crew)?.inputs ?? {});
      return { kind: 'fields', fields, unreported };
    }
    case 'refused':
      return { kind: 'unknown', code: answer.code };
    case 'unreadable':
      return { kind: 'unknown', code: 'other' };
    case 'unreachable':
      return { kind: 'unknown', code: 'unreachable' };
  }
}

/** The form for a start, or, if the crew doesn't say what it needs, the reason and a button to ask again. Never throws. */
export async function formView(ports: FormPorts, request: FormRequest, say: Say): Promise<ModalView> {
  const { crew, values, refused = null, channelFrom = 'place' } = request;
  // Includes values that the crew asked for without reporting them: if they were dropped, it would ask again and again.
  const answer = await fieldsOf(ports, crew, [...Object.keys(values), ...(refused?.missing ?? [])]);
  if (answer.kind === 'unknown')
    return inputsTroubleModal(
      { crew, code: answer.code, metadata: kickoffMetadata({ ...request, channelFrom, unreported: [] }) },
      say,
    );
  const { fields, unreported } = answer;
  const { wrong = {}, problem } = request;
  const notes = problem === undefined ? [] : [section(`⚠️ ${problem} ${say('form.nothing-yet')}`)];
  const crews = request.crews.map((name) => ({ name, description: ports.crews.get(name)?.description ?? null }));
  const state = refused ? whatWasRefused(refused, { crew, fields, say }) : { missing: [], wrong, notes };
  return kickoffForm({ ...request, ...state, channelFrom, crews, fields, unreported, say });
}
