import type { InputBlock, PlainTextOption } from '@slack/types';
import type { ActionId } from '../ui/action-ids.ts';
import { plain } from '../ui/blocks.ts';
import { type FormValues, heldIn } from '../ui/form-values.ts';
import { OPTION_LIMIT } from '../ui/limits.ts';
import { grouped } from './input-element.ts';

export const CREW_BLOCK = 'crew';

/** Nothing where there is nothing to choose. Crews' names have at most 75 characters. */
export function crewPicker(crews: string[], crew: string): InputBlock[] {
  if (crews.length < 2) return [];
  const options = crews.map(
    (name): PlainTextOption => ({ text: plain(name, OPTION_LIMIT), value: name.slice(0, OPTION_LIMIT) }),
  );
  const chosen = options[crews.indexOf(crew)];
  return [
    {
      type: 'input',
      block_id: CREW_BLOCK,
      dispatch_action: true,
      label: plain('Crew'),
      element: {
        type: 'static_select',
        action_id: 'pick_crew' satisfies ActionId,
        ...grouped(options),
        ...(chosen && { initial_option: chosen }),
      },
    },
  ];
}

/** The crew that stands in the picker; null where the form has none. */
export function readPickedCrew(values: FormValues): string | null {
  return heldIn(values, CREW_BLOCK)?.selected_option?.value ?? null;
}
