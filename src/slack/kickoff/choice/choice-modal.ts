import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import type { Say } from '../../language/say.ts';
import { plain, section } from '../../ui/blocks.ts';
import { type FormValues, typedText } from '../../ui/form-values.ts';
import { modal } from '../../ui/modal.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { CREW_BLOCK, crewPicker, type OfferedCrew } from '../crew-picker.ts';
import { type ChoiceMetadata, choiceMetadata } from './choice-metadata.ts';
import { type ChosenMessage, messageBlocks } from './message-blocks.ts';

const CHANNEL_BLOCK = 'channel';

interface Choice extends Omit<ChoiceMetadata, 'messageLength'> {
  /** The crews that the person can choose. */
  crews: readonly OfferedCrew[];
  /** What the form is to begin with; null for a start without a message. */
  message: ChosenMessage | null;
}

/** Asks which crew to start and where, before its form. Its `private_metadata` is read by `parseChoiceMetadata`. */
export function choiceModal(choice: Choice, say: Say): ModalView {
  const { crews, crew, message } = choice;
  const picker = crewPicker(crews, { crew, actionId: 'choose_crew', say });
  return modal({
    callbackId: 'choose_start',
    title: say('start.title'),
    submit: say('modal.next'),
    close: say('modal.cancel'),
    metadata: choiceMetadata({ ...choice, messageLength: message?.length ?? null }),
    blocks: [
      ...(crews.length > 1 ? picker : named(crew, picker)),
      channelSelect(choice, say),
      ...(message ? messageBlocks(message, crew, say) : []),
    ],
  });
}

function named(crew: string, description: KnownBlock[]): KnownBlock[] {
  return [section(`*${escapedLine(crew, 80)}*`), ...description];
}

/** Slack keeps what was chosen in a block of the same id, so that another channel needs another one. */
function channelSelect({ preset }: Pick<Choice, 'preset'>, say: Say): InputBlock {
  return {
    type: 'input',
    block_id: `${CHANNEL_BLOCK}:${preset ?? ''}`,
    label: plain(say('choice.channel')),
    hint: plain(say('choice.channel-hint')),
    element: {
      type: 'conversations_select',
      action_id: 'channel_input',
      placeholder: plain(say('choice.choose-channel')),
      filter: { include: ['public', 'private'] },
      ...(preset !== null && { initial_conversation: preset }),
    },
  };
}

/** The block of the channel as it is submitted, where an error about it is shown, too. */
export function channelBlockIn(values: FormValues): string {
  return Object.keys(values).find((id) => id.startsWith(`${CHANNEL_BLOCK}:`)) ?? `${CHANNEL_BLOCK}:`;
}

/** The block where an error about the crew is shown: one that stands alone has no block of its own. */
export function crewBlockIn(values: FormValues): string {
  return Object.hasOwn(values, CREW_BLOCK) ? CREW_BLOCK : channelBlockIn(values);
}

/** Empty if none was chosen. */
export function readChosenChannel(values: FormValues): string {
  return typedText(values, channelBlockIn(values));
}
