import type { ModalView } from '@slack/types';
import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { Crew, InputField } from '../../core/crew.ts';
import { inputFields } from '../../core/crew.ts';
import type { Inputs } from '../../core/json.ts';
import type { CrewInputs } from '../../core/ports.ts';
import { kickoffForm } from './form.ts';
import { inputsTroubleModal } from './trouble.ts';

/** What a form is to show. */
export interface FormRequest {
  crew: string;
  /** The crews that the person can pick. */
  crews: string[];
  channel: string;
  attempt: number;
  values: Inputs;
  missing: string[];
  /** What the crew said about them. */
  said?: string;
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

export const TOO_LATE = 'This took too long, so that the form could not be opened. Please try again.';

interface FormPorts {
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
export async function formView(ports: FormPorts, request: FormRequest): Promise<ModalView> {
  const { crew, channel, attempt, values, missing } = request;
  // Includes values that the crew asked for without reporting them: if they were dropped, it would ask again and again.
  const answer = await fieldsOf(ports, crew, [...Object.keys(values), ...missing]);
  if (answer.kind === 'unknown')
    return inputsTroubleModal({ crew, code: answer.code, metadata: JSON.stringify({ crew, channel, attempt }) });
  return kickoffForm({
    ...request,
    fields: answer.fields,
    unreported: answer.unreported,
    problem: saysMore(request.said ?? '') ? `The crew said: “${request.said}”` : null,
  });
}

/** The form itself marks missing inputs; anything else that may be wrong with them only the crew can say. */
function saysMore(said: string): boolean {
  return said.trim() !== '' && !/^missing (?:required )?inputs?\b/i.test(said);
}
