import type { KnownBlock } from '@slack/types';
import { isAboutUserToken } from '../../../core/state/approval.ts';
import type { KickoffRefusal } from '../../../core/state/execution.ts';
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

/** How a form shows why the crew refused it: at the inputs that the crew named, and the rest above them all. */
export function refusedState(
  refusal: KickoffRefusal,
  { crew, fields, say }: { crew: string; fields: readonly InputField[]; say: Say },
): RefusedState {
  const { code, missing, detail } = refusal;
  if (code !== 'missing-inputs' && code !== 'bad-request')
    return {
      missing: [],
      wrong: {},
      notes: [...whyRefused(refusal, crew, say), ...(isAboutUserToken(code) ? buttons(connectButton(crew, say)) : [])],
    };
  const names = fields.map(({ name }) => name).filter((name) => !missing.includes(name));
  const wrong = wrongInputs(detail, names);
  const isMarked = missing.length > 0 || Object.keys(wrong).length > 0;
  const isSaid = saysMissing(detail) || (missing.length === 0 && isMarked);
  if (isMarked) return { missing, wrong, notes: isSaid ? [] : crewSaid(detail, say) };
  return { missing, wrong, notes: whyRefused(refusal, crew, say) };
}

function whyRefused(refusal: KickoffRefusal, crew: string, say: Say): KnownBlock[] {
  const { sentence } = kickoffTroubleText({ kind: 'refused', refusal }, { crew, reader: 'starter', say });
  return [section(`🚫 ${escapeMrkdwn(sentence)}`), ...crewSaid(refusal.detail, say)];
}

function crewSaid(detail: string, say: Say): KnownBlock[] {
  return detail.trim() === '' ? [] : [section(say('start.crew-said', { text: escapedLine(detail, 500) }))];
}

/** The form itself marks missing inputs; only the crew can say what else is wrong. */
function saysMissing(detail: string): boolean {
  return detail.trim() === '' || /^missing (?:required )?inputs?\b/i.test(detail);
}

/**
 * What a crew says is wrong with single inputs, by their names. It may be a list like that of a validation error
 * (`inputs.count: must be at most 10; …`), or sentences that quote a name or begin with one.
 */
export function wrongInputs(detail: string, names: readonly string[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const said of detail.split(/;\s|\n/)) {
    const [, place = '', rest = ''] = /^([^:]{1,250}):\s+(.+)$/s.exec(said) ?? [];
    const placed = names.find((name) => name === place || place.endsWith(`inputs.${name}`));
    if (placed !== undefined) found.set(placed, rest);
    else for (const name of names) if (isNamed(name, said)) found.set(name, said);
  }
  return Object.fromEntries(found);
}

const QUOTED = ['""', "''", '``', '“”', '‘’', '„“', '«»'];

function isNamed(name: string, said: string): boolean {
  const isFirst = said.startsWith(`${name} `) || said.startsWith(`${name}:`);
  return isFirst || QUOTED.some((pair) => said.includes(`${pair.charAt(0)}${name}${pair.charAt(1)}`));
}
