import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { plain, section } from '../ui/blocks.ts';
import { parse } from '../ui/button-value.ts';
import { elementIn, type FormValues } from '../ui/form-values.ts';
import { grouped } from '../ui/grouped-options.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';

/** The blocks at which errors are shown. */
export const TOKEN_BLOCK = 'token';
export const CREW_BLOCK = 'crew_of_token';

const WHERE =
  'Your *User Bearer Token* is on the *Status* tab of the crew’s page in its control panel. ' +
  'What you start and decide is then sent with it, as yours.';
const SHOWN =
  'Slack shows what you type here. Signoff stores it encrypted, uses it for nothing but your own starts and decisions, and never shows it again.';

export interface ConnectMetadata {
  /** Null lets the person pick one. */
  crew: string | null;
  /** Where the command was typed, for an answer after the window was closed; null if that isn't known. */
  channel: string | null;
}

/** Asks for a token. Its `private_metadata` is read by `parseConnectMetadata`, and never has the token. */
export function connectModal(
  { crew, channel }: ConnectMetadata,
  { crews, problem = null }: { crews: string[]; problem?: string | null },
): ModalView {
  const whose = crew === null ? 'a crew' : `*${escapedLine(crew, 80)}*`;
  return modal({
    callbackId: 'connect_token',
    title: 'Connect your token',
    submit: 'Connect',
    close: 'Cancel',
    metadata: JSON.stringify({ crew, channel } satisfies ConnectMetadata),
    blocks: [
      ...(problem === null ? [] : [section(`⚠️ ${escapeMrkdwn(problem)}`)]),
      section(`Connect your own access token of ${whose}. ${WHERE}`),
      ...(crew === null ? [crewSelect(crews)] : []),
      tokenInput(crew === null ? 'after others' : 'first'),
    ] satisfies KnownBlock[],
  });
}

function crewSelect(crews: string[]): InputBlock {
  const options = crews.map((name) => ({ text: plain(name, OPTION_LIMIT), value: name.slice(0, OPTION_LIMIT) }));
  return {
    type: 'input',
    block_id: CREW_BLOCK,
    label: plain('Crew'),
    element: { type: 'static_select', action_id: 'crew', ...grouped(options) },
  };
}

/** Only the first field of the window is focused. */
function tokenInput(place: 'first' | 'after others'): InputBlock {
  return {
    type: 'input',
    block_id: TOKEN_BLOCK,
    label: plain('Your token'),
    hint: plain(SHOWN),
    element: {
      type: 'plain_text_input',
      action_id: 'token',
      focus_on_load: place === 'first',
      max_length: TYPED_TEXT_LIMIT,
    },
  };
}

const connectMetadata = z.object({ crew: z.string().nullable(), channel: z.string().nullable() });

/** Null if the metadata isn't that of this modal. */
export function parseConnectMetadata(value: string): ConnectMetadata | null {
  return parse(connectMetadata, value);
}

/** The picked crew; null if the modal offered none. */
export function readCrew(values: FormValues): string | null {
  return elementIn(values, CREW_BLOCK)?.selected_option?.value ?? null;
}
