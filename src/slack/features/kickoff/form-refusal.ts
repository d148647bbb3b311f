import type { KnownBlock } from '@slack/types';
import type { KickoffRefusal } from '../../../core/state/execution.ts';
import { isAboutUserToken } from '../../../core/state/request.ts';
import type { InputField } from '../../../core/values/input-field.ts';
import type { Say } from '../../language/say.ts';
import { kickoffTroubleText } from '../../request/status-text.ts';
import { buttons, section } from '../../ui/blocks.ts';
import type { FormState } from '../../ui/form-inputs.ts';
import { connectButton } from '../../ui/modal.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';

interface RefusedState extends Omit<FormState, 'values'> {
  notes: KnownBlock[];
}

/** Returns how a form shows a crew's refusal: at the inputs that the crew named, and the rest above all fields. */
export function refusedState(
  refusal: KickoffRefusal,
  { crew, fields, say }: { crew: string; fields: readonly InputField[]; say: Say },
): RefusedState {
  const { code, missing, detail } = refusal;
  if (code !== 'missing-inputs' && code !== 'bad-request')
    return {
      missing: [],
      wrong: {},
      notes: [
        ...refusalBlocks(refusal, crew, say),
        ...(isAboutUserToken(code) ? buttons(connectButton(crew, say)) : []),
      ],
    };
  const names = fields.map(({ name }) => name).filter((name) => !missing.includes(name));
  const wrong = wrongInputs(detail, names);
  const isMarked = missing.length > 0 || Object.keys(wrong).length > 0;
  const isSaid = isAboutMissing(detail) || (missing.length === 0 && isMarked);
  if (isMarked) return { missing, wrong, notes: isSaid ? [] : crewSaid(detail, say) };
  return { missing, wrong, notes: refusalBlocks(refusal, crew, say) };
}

function refusalBlocks(refusal: KickoffRefusal, crew: string, say: Say): KnownBlock[] {
  const { sentence } = kickoffTroubleText({ kind: 'refused', refusal }, { crew, reader: 'starter', say });
  return [section(`🚫 ${escapeMrkdwn(sentence)}`), ...crewSaid(refusal.detail, say)];
}

function crewSaid(detail: string, say: Say): KnownBlock[] {
  return detail.trim() === '' ? [] : [section(say('start.crew-said', { text: escapedLine(detail, 500) }))];
}

/** Returns true if the text only says that inputs are missing, which the form marks itself. */
function isAboutMissing(detail: string): boolean {
  return detail.trim() === '' || /^missing (?:required )?inputs?\b/i.test(detail);
}

/**
 * Finds what a crew says about single inputs, by their names: in a list like that of a validation error (`inputs.count: must be at most
 * 10; …`), or in sentences that quote a name or begin with one.
 */
export function wrongInputs(detail: string, names: readonly string[]): Record<string, string> {
  const wrong = new Map<string, string>();
  for (const said of detail.split(/;\s|\n/)) {
    const [, place = '', rest = ''] = /^([^:]{1,250}):\s+(.+)$/s.exec(said) ?? [];
    const placed = names.find((name) => name === place || place.endsWith(`inputs.${name}`));
    if (placed !== undefined) wrong.set(placed, rest);
    else for (const name of names) if (isNamed(name, said)) wrong.set(name, said);
  }
  return Object.fromEntries(wrong);
}

const QUOTED = ['""', "''", '``', '“”', '‘’', '„“', '«»'];

function isNamed(name: string, said: string): boolean {
  const isFirst = said.startsWith(`${name} `) || said.startsWith(`${name}:`);
  return isFirst || QUOTED.some((pair) => said.includes(`${pair.charAt(0)}${name}${pair.charAt(1)}`));
}
