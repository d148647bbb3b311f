import type { HandOver } from '../../core/approval/approval.ts';
import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';

/** Tells a person directly that they can decide a request now. `link`: the address of its card; null until it is posted. */
export function handedOverMessage(
  { by }: Pick<HandOver, 'by'>,
  { crew, taskName, link, name }: { crew: string; taskName: string | null; link: string | null; name: NameOf },
): Rendered {
  const what = taskName ? ` of “${escapedLine(taskName, 120)}”` : '';
  const text = `${nameIn(name, by)} has handed over a decision to you: *${escapedLine(crew, 80)}* asks for approval${what}.`;
  const open = link === null ? '' : `\n<${escapeMrkdwn(link)}|Open the approval>`;
  return rendered(text, [section(`👋 ${text}${open}`)]);
}
