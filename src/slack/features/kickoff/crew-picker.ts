import type { InputBlock, KnownBlock, PlainTextOption } from '@slack/types';
import type { Crew } from '../../../core/policy/crew.ts';
import type { Say } from '../../language/say.ts';
import type { ActionId } from '../../ui/action-ids.ts';
import { context, plain } from '../../ui/blocks.ts';
import { elementIn, type FormValues } from '../../ui/button-value.ts';
import { input, select } from '../../ui/inputs.ts';
import { OPTION_LIMIT } from '../../ui/limits.ts';
import { cutLine, escapedLine } from '../../ui/text/escape.ts';

// The select of a crew, in the form that starts one and in the choice before it.

export const CREW_BLOCK = 'crew';

export type OfferedCrew = Pick<Crew, 'name' | 'description'>;

interface Picking {
  /** Null until one is chosen. The form can't be submitted before. */
  crew: string | null;
  actionId: Extract<ActionId, 'pick_crew' | 'choose_crew'>;
  say: Say;
}

/** Renders a picker if there are several crews, and what the chosen one is for. A crew's name has at most 75 characters. */
export function crewPicker(crews: readonly OfferedCrew[], { crew, actionId, say }: Picking): KnownBlock[] {
  const description = escapedLine(crews.find(({ name }) => name === crew)?.description ?? '', 1_000);
  return [
    ...(crews.length < 2 && crew !== null ? [] : [picker(crews, { crew, actionId, say })]),
    ...(description === '' ? [] : [context(description)]),
  ];
}

function picker(crews: readonly OfferedCrew[], { crew, actionId, say }: Picking): InputBlock {
  const options = crews.map(optionOf);
  const chosen = options[crews.findIndex(({ name }) => name === crew)];
  const element = select(actionId, options, chosen);
  return { ...input(CREW_BLOCK, { label: say('form.crew'), element }), dispatch_action: true };
}

function optionOf({ name, description }: OfferedCrew): PlainTextOption {
  const purpose = cutLine(description ?? '', OPTION_LIMIT);
  return {
    text: plain(name, OPTION_LIMIT),
    value: name.slice(0, OPTION_LIMIT),
    ...(purpose !== '' && { description: plain(purpose, OPTION_LIMIT) }),
  };
}

export function readPickedCrew(values: FormValues): string | null {
  return elementIn(values, CREW_BLOCK)?.selected_option?.value ?? null;
}
