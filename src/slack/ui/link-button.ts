import type { Button, SectionBlock } from '@slack/types';
import { plain, section } from './blocks.ts';
import { BUTTON_LIMIT } from './limits.ts';

/** Opens an address. Slack tells us of the click, which needs no answer. */
export function linkButton(label: string, url: string): Button {
  return { type: 'button', action_id: 'open_link', text: plain(label, BUTTON_LIMIT), url };
}

/** With a button to an address beside the text, where there is one. */
export function sectionLinking(text: string, { label, link }: { label: string; link: string | null }): SectionBlock {
  return link === null ? section(text) : { ...section(text), accessory: linkButton(label, link) };
}
