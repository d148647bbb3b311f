import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Say } from '../../language/say.ts';
import { plain, section } from '../../ui/blocks.ts';
import { codec } from '../../ui/button-value.ts';
import { input, select, textInput } from '../../ui/inputs.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';

// The window that asks for a person's own token, and the answers about tokens.

export const TOKEN_BLOCK = 'token';
export const CREW_BLOCK = 'crew_of_token';

export const connectMetadata = codec(
  z.object({
    /** Null if the person picks one. */
    crew: z.string().nullable(),
    /** The channel of the command, for an answer after the window was closed; null if it is unknown. */
    channel: z.string().nullable(),
  }),
);
export type ConnectMetadata = NonNullable<ReturnType<typeof connectMetadata.read>>;

/** Asks for a token. `connectMetadata` reads its metadata, which never has the token. */
export function connectModal(
  say: Say,
  { crew, channel }: ConnectMetadata,
  { crews, problem = null }: { crews: string[]; problem?: string | null },
): ModalView {
  const whose = crew === null ? say('token.of-a-crew') : say('token.of-crew', { crew: escapedLine(crew, 80) });
  return modal(say, {
    callbackId: 'connect_token',
    title: say('token.title'),
    submit: say('token.connect'),
    metadata: connectMetadata.write({ crew, channel }),
    blocks: [
      ...(problem === null ? [] : [section(`⚠️ ${escapeMrkdwn(problem)}`)]),
      section(`${whose} ${say('token.where')}`),
      ...(crew === null ? [crewSelect(say, crews)] : []),
      input(TOKEN_BLOCK, {
        label: say('token.yours'),
        hint: say('token.hint'),
        // Only the first field of the window is focused.
        element: textInput('token', { focus_on_load: crew !== null, max_length: TYPED_TEXT_LIMIT }),
      }),
    ] satisfies KnownBlock[],
  });
}

function crewSelect(say: Say, crews: string[]): InputBlock {
  const options = crews.map((name) => ({ text: plain(name, OPTION_LIMIT), value: name.slice(0, OPTION_LIMIT) }));
  return input(CREW_BLOCK, { label: say('form.crew'), element: select('crew', options) });
}

// The answers below are mrkdwn.

export function checkingText(say: Say, crew: string): string {
  return `⏳ ${say('token.checking', { crew: escapedLine(crew, 80) })}`;
}

export function connectedText(say: Say, crew: string): string {
  return `✅ ${say('token.connected', { crew: escapedLine(crew, 80), command: commandText(say, 'disconnect', crew) })}`;
}

export function disconnectedText(say: Say, crew: string): string {
  return say('token.disconnected', { crew: escapedLine(crew, 80) });
}

/** Says that a crew has no token. `crew` is null if the crew isn't set up here. */
export function notConnectedText(say: Say, crew: string | null): string {
  return crew === null ? say('token.none-such') : say('token.none-of-crew', { crew: escapedLine(crew, 80) });
}

export function whichTokenText(say: Say, crews: string[]): string {
  const commands = crews.slice(0, 20).map((crew) => commandText(say, 'disconnect', crew));
  return say('token.which', { commands: commands.join(', ') });
}

/** Tells a person why a crew did not take their decision. */
export function ownTokenNeededText(say: Say, code: 'user-token-refused' | 'no-user-token', crew: string): string {
  return `🔑 ${say(`token.${code}`, { crew: escapedLine(crew, 80), command: commandText(say, 'connect', crew) })}`;
}

function commandText(say: Say, word: 'connect' | 'disconnect', crew: string): string {
  return `\`${say.kickoff} ${word} ${escapedLine(crew, 80)}\``;
}
