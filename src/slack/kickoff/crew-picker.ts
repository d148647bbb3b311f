import type { InputBlock, PlainTextOption } from '@slack/types';
import type { ActionId } from '../ui/action-ids.ts';
import { plain } from '../ui/blocks.ts';
import { elementIn, type FormValues } from '../ui/form-values.ts';
import { grouped } from '../ui/grouped-options.ts';
import { OPTION_LIMIT } from '../ui/limits.ts';

const CREW_BLOCK = 'crew';

/** Empty where there is only one crew. A name of a crew has at most 75 characters. */
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

/** The picked crew; null if the form has no picker. */
export function readPickedCrew(values: FormValues): string | null {
  return elementIn(values, CREW_BLOCK)?.selected_option?.value ?? null;
}
