// The window with the latest steps of a run's agents.
import type { ModalView, RichTextBlock, RichTextSection } from '@slack/types';
import type { Step } from '../../../core/execution/events.ts';
import type { Say } from '../../language/say.ts';
import { answerNotFound, showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener } from '../../listening/context.ts';
import { context, section } from '../../ui/blocks.ts';
import { modal } from '../../ui/modal.ts';
import { cut, cutLine, escapedLine } from '../../ui/text/escape.ts';
import { plainWords } from '../../ui/text/markdown.ts';
import { utc } from '../../ui/text/moment.ts';

export const onShowActivity: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { value: ref } = click;
  const record = await context.store.load(ref);
  const steps = record ? await context.activity.latest(ref, MOST_STEPS) : [];
  await ack();
  if (!record) return answerNotFound(context, click);
  const say = await context.say();
  await showModal(context, click, activityModal(steps, { crew: record.execution.crew, say }));
};

/** So many steps with all their parts at full length stay within `VIEW_BYTES`. */
const MOST_STEPS = 30;

const PART_LIMIT = 600;

/** Shows the latest steps of the agents, newest first. */
export function activityModal(steps: Step[], { crew, say }: { crew: string; say: Say }): ModalView {
  const about = { crew: escapedLine(crew, 80) };
  return modal(say, {
    callbackId: 'activity',
    title: say('activity.button'),
    blocks: [
      steps.length === 0 ? section(say('activity.none', about)) : context(say('activity.intro', about)),
      ...steps
        .slice(0, MOST_STEPS)
        .map((step): RichTextBlock => ({ type: 'rich_text', elements: [headLine(step, say), ...parts(step)] })),
    ],
  });
}

function headLine({ at, agent, tool }: Step, say: Say): RichTextSection {
  const who = cutLine(agent ?? '', 80) || say('activity.unnamed-agent');
  const did = tool ? ` ${say('activity.used', { tool: cutLine(tool, 80) })}` : '';
  return {
    type: 'rich_text_section',
    elements: [
      { type: 'date', timestamp: Math.floor(at / 1_000), format: '{time_secs}', fallback: utc(at, say) },
      { type: 'text', text: ' · ' },
      { type: 'text', text: who, style: { bold: true } },
      ...(did === '' ? [] : [{ type: 'text' as const, text: did }]),
    ],
  };
}

function parts({ thought, toolInput, result }: Step): RichTextBlock['elements'] {
  return [
    ...part('rich_text_section', thought),
    ...part('rich_text_preformatted', toolInput),
    ...part('rich_text_quote', result && plainWords(cut(result, PART_LIMIT))),
  ];
}

function part(
  type: 'rich_text_section' | 'rich_text_preformatted' | 'rich_text_quote',
  content: string | null,
): RichTextBlock['elements'] {
  const text = cut(content ?? '', PART_LIMIT).trim();
  return text === '' ? [] : [{ type, elements: [{ type: 'text', text }] }];
}
