import type { HandOver } from '../../core/approval/approval.ts';
import type { Say } from '../language/say.ts';
import { type Rendered, rendered, section } from '../ui/blocks.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';

/** A request that was handed over. `link`: the address of its card; null until it is posted. */
interface HandedOver extends Pick<HandOver, 'by'> {
  crew: string;
  taskName: string | null;
  link: string | null;
  name: NameOf;
}

/** Tells a person directly that they can decide a request now. */
export function handedOverMessage({ by, crew, taskName, link, name }: HandedOver, say: Say): Rendered {
  const asking = { name: nameIn(name, by), crew: escapedLine(crew, 80) };
  const text = taskName
    ? say('hand-over.told', { ...asking, task: escapedLine(taskName, 120) })
    : say('hand-over.told-unnamed', asking);
  const open = link === null ? '' : `\n<${escapeMrkdwn(link)}|${say('hand-over.open')}>`;
  return rendered(text, [section(`👋 ${text}${open}`)]);
}
