import type { InputBlock, KnownBlock, PlainTextOption } from '@slack/types';
import type { Person } from '../../../core/approval/approval.ts';
import type { Crew } from '../../../core/crew.ts';
import { ok, type Result, refuse } from '../../../core/result.ts';
import type { ListenerContext } from '../../app/context.ts';
import type { Say } from '../../language/say.ts';
import type { ActionId } from '../../ui/action-ids.ts';
import { context, grouped, plain, type Rendered } from '../../ui/blocks.ts';
import { elementIn, type FormValues } from '../../ui/button-value.ts';
import { OPTION_LIMIT } from '../../ui/limits.ts';
import { cutLine, escapedLine } from '../../ui/text/escape.ts';
import { findStartPermits, isOffered, isPossible, refuseStart } from './permits.ts';
import { noneToStartMessage } from './trouble.ts';

/** Of the picker, where an error about the crew is shown, too. */
export const CREW_BLOCK = 'crew';

export type OfferedCrew = Pick<Crew, 'name' | 'description'>;

interface Picking {
  crew: string;
  actionId: Extract<ActionId, 'pick_crew' | 'choose_crew'>;
  say: Say;
}

/** Which crew it is and what it is for, and the others where there are any. A name of a crew has at most 75 characters. */
export function crewPicker(crews: readonly OfferedCrew[], { crew, actionId, say }: Picking): KnownBlock[] {
  const description = escapedLine(crews.find(({ name }) => name === crew)?.description ?? '', 1_000);
  return [
    ...(crews.length < 2 ? [] : [picker(crews, { crew, actionId, say })]),
    ...(description === '' ? [] : [context(description)]),
  ];
}

function picker(crews: readonly OfferedCrew[], { crew, actionId, say }: Picking): InputBlock {
  const options = crews.map(optionOf);
  const chosen = options[crews.findIndex(({ name }) => name === crew)];
  return {
    type: 'input',
    block_id: CREW_BLOCK,
    dispatch_action: true,
    label: plain(say('form.crew')),
    element: {
      type: 'static_select',
      action_id: actionId,
      ...grouped(options),
      ...(chosen && { initial_option: chosen }),
    },
  };
}

function optionOf({ name, description }: OfferedCrew): PlainTextOption {
  const purpose = cutLine(description ?? '', OPTION_LIMIT);
  return {
    text: plain(name, OPTION_LIMIT),
    value: name.slice(0, OPTION_LIMIT),
    ...(purpose !== '' && { description: plain(purpose, OPTION_LIMIT) }),
  };
}

/** The picked crew; null if the form has no picker. */
export function readPickedCrew(values: FormValues): string | null {
  return elementIn(values, CREW_BLOCK)?.selected_option?.value ?? null;
}

/**
 * The crew that a form begins with, and those that it offers, for a person who named none; or why there is none. If there is
 * only one crew, they meant that one, and the refusal is in the ledger before this resolves. @throws {StoreUnavailable}
 */
export async function pickFirst(
  context: ListenerContext,
  { channel, by, say }: { channel: string | null; by: Person; say: Say },
): Promise<Result<{ crew: string; crews: string[] }, Rendered>> {
  const permits = await findStartPermits(context, [...context.crews.values()], { personId: by.id, channel });
  const permitted = permits.find(({ permit }) => permit.kind === 'permitted');
  const first = permitted ?? (channel === null ? permits.find(isPossible) : undefined);
  if (first) return ok({ crew: first.crew.name, crews: permits.filter(isOffered).map(({ crew }) => crew.name) });
  const refusals = permits.flatMap(({ crew, permit }) =>
    permit.kind === 'denied' ? [{ crew, denial: permit.denial }] : [],
  );
  const [only, ...others] = refusals;
  if (only && others.length === 0) await refuseStart(context, only, by);
  return refuse(noneToStartMessage(refusals, say));
}
