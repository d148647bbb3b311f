import type { JsonObject } from '../json.ts';
import {
  conversationFilter,
  initialAmongOptions,
  option,
  optionGroup,
  plainText,
  selectionLimit,
} from './composition.ts';
import { confirm, type ElementRule, element, focus_on_load, ids, placeholder } from './element-rule.ts';
import { boolean, list, optional, string } from './rule.ts';

const SELECT = 'select-menu-element';
const MULTI = 'multi-select-menu-element';
const select = { confirm, placeholder, focus_on_load };
const multi = { ...select, max_selected_items: selectionLimit };

const response_url_enabled = optional(boolean);
const conversations = { default_to_current_conversation: optional(boolean), filter: optional(conversationFilter) };
const plainOption = option(plainText(75));
const staticOptions = {
  options: optional(list(plainOption, { min: 1, max: 100 })),
  option_groups: optional(list(optionGroup, { min: 1, max: 100 })),
};

function oneOptionSource(menu: JsonObject): string[] {
  const isOne = 'options' in menu !== 'option_groups' in menu;
  return [...(isOne ? [] : ['must provide either options or option_groups']), ...initialAmongOptions(menu)];
}

/** Single- and multi-select menus. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export const MENU_ELEMENTS: ElementRule[] = [
  element(
    'static_select',
    SELECT,
    { ...select, ...staticOptions, initial_option: optional(plainOption) },
    oneOptionSource,
  ),
  element('users_select', SELECT, { ...select, initial_user: optional(string()) }),
  element('channels_select', SELECT, { ...select, initial_channel: optional(string()), response_url_enabled }),
  element('conversations_select', SELECT, {
    ...select,
    ...conversations,
    initial_conversation: optional(string()),
    response_url_enabled,
  }),
  element(
    'multi_static_select',
    MULTI,
    { ...multi, ...staticOptions, initial_options: optional(list(plainOption, { min: 1, max: 100 })) },
    oneOptionSource,
  ),
  element('multi_users_select', MULTI, { ...multi, initial_users: ids }),
  element('multi_channels_select', MULTI, { ...multi, initial_channels: ids }),
  element('multi_conversations_select', MULTI, { ...multi, ...conversations, initial_conversations: ids }),
];
