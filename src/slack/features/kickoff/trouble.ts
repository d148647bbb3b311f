import type { ViewOutput } from '@slack/bolt';
import type { Button, KnownBlock, ModalView } from '@slack/types';
import { starterStatement } from '../../../core/policy/statements.ts';
import { type CrewRefusal, isAboutUserToken } from '../../../core/state/request.ts';
import type { PostingTrouble } from '../../api/channels.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext, ViewAnswer } from '../../listening/context.ts';
import { canAsk, denialText } from '../../request/denial.ts';
import { anyOf, policySentence } from '../../request/policy-sentences.ts';
import { type KickoffTrouble, kickoffTroubleText } from '../../request/status-text.ts';
import { button, buttons, context, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { answerMessage, answerModal, connectButton, nextStepButtons } from '../../ui/modal.ts';
import { approverMention } from '../../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { type DeniedStart, type StartRefusal, whyUnknown } from './permits.ts';
import { progressModal } from './progress.ts';

// Messages and modals for a start that failed: the crew refused, the person may not start it, or the bot can't post in the channel.

interface FailedKickoff {
  ref: string;
  crew: string;
  trouble: KickoffTrouble;
}

export function kickoffTroubleModal(failed: FailedKickoff, say: Say): ModalView {
  const { title, blocks } = renderTrouble(failed, say);
  return progressModal(say, { title, blocks });
}

export function kickoffTroubleMessage(failed: FailedKickoff, say: Say): Rendered {
  const { text, blocks } = renderTrouble(failed, say);
  return rendered(text, blocks);
}

function renderTrouble(failed: FailedKickoff, say: Say): Rendered & { title: string } {
  const { crew, trouble } = failed;
  const { title, sentence, detail } = kickoffTroubleText(trouble, { crew, reader: 'starter', say });
  const text = `${trouble.kind === 'doubt' ? '❓' : '🚫'} ${escapeMrkdwn(sentence)}`;
  const more = detail === null ? [] : [context(say('start.crew-said', { text: escapeMrkdwn(detail) }))];
  return { title, text, blocks: [section(text), ...more, ...buttons(...nextSteps(failed, say))] };
}

function nextSteps({ ref, crew, trouble }: FailedKickoff, say: Say): Button[] {
  const again = button('try_again', say('start.try-again'), { value: ref });
  switch (trouble.kind) {
    case 'refused': {
      const { code } = trouble.refusal;
      if (code === 'missing-inputs') return [button('fill_in', say('start.fill-in'), { value: ref, style: 'primary' })];
      return isAboutUserToken(code) ? [connectButton(crew, say), again] : [again];
    }
    case 'doubt':
      // The form says that the crew may be running already.
      return [again];
  }
}

/** Replaces the form if the crew didn't say which inputs it needs. */
export function inputsTroubleModal(
  { crew, code, metadata }: { crew: string; code: CrewRefusal; metadata: string },
  say: Say,
): ModalView {
  return progressModal(say, {
    title: say('start.title'),
    metadata,
    blocks: [
      section(`🚫 ${escapeMrkdwn(inputsSentence(code, crew, say))}`),
      ...buttons(button('ask_again', say('start.try-again'), { value: metadata })),
    ],
  });
}

/** Explains why the crew's inputs are unknown; plain text. */
export function inputsSentence(code: CrewRefusal, crew: string, say: Say): string {
  switch (code) {
    case 'unauthorized':
    case 'not-found':
    case 'quota':
    case 'unreachable':
    case 'busy':
      return say(`inputs.${code}`, { crew });
    case 'bad-request':
    case 'missing-inputs':
    case 'user-token-refused':
    case 'no-user-token':
    case 'other':
      return say('inputs.other', { crew });
  }
}

export function startRefusalModal(refusal: StartRefusal, say: Say): ModalView {
  const title = say('start.title.not-started');
  return answerModal(say, { title, text: startRefusalText(refusal, say), more: connectOwnToken(refusal, say) });
}

export function startRefusalMessage(refusal: StartRefusal, say: Say): Rendered {
  return answerMessage(startRefusalText(refusal, say), connectOwnToken(refusal, say));
}

function connectOwnToken({ crew, denial }: StartRefusal, say: Say): KnownBlock[] {
  return denial?.kind === 'no-token' && crew ? nextStepButtons({ kind: 'connect', crew: crew.name }, say) : [];
}

/** Explains why nothing was started, and who can start the crew; mrkdwn. People outside the workspace don't learn who. */
export function startRefusalText({ crew, denial }: StartRefusal, say: Say): string {
  const name = crew && escapedLine(crew.name, 80);
  if (denial === null) return name === null ? say('start.crew-gone') : say('start.only-asks', { crew: name });
  const text = denialText(denial, { what: 'start', crew: name, say });
  if (!crew || !canAsk(denial)) return text;
  return `${text} ${policySentence(starterStatement(crew.starters), { say, nameOf: approverMention })}`;
}

const MOST_CREWS = 20;

export function noneToStartMessage(refusals: readonly DeniedStart[], say: Say): Rendered {
  if (refusals.length === 0) return answerMessage(say('help.no-crews'));
  const plainest = refusals.find(({ denial: { kind } }) => kind !== 'not-approver' && kind !== 'guest');
  if (plainest) return startRefusalMessage(plainest, say);
  const examples = refusals.slice(0, MOST_CREWS);
  const wording = { say, nameOf: approverMention };
  const lines = examples.map(({ crew }) => `• *${escapedLine(crew.name, 80)}*: ${anyOf(crew.starters, wording)}`);
  const count = refusals.length - examples.length;
  const more = count > 0 ? [say('list.and-more', { count })] : [];
  return answerMessage([say('start.none-for-you'), ...lines, ...more].join('\n'));
}

/** Explains why the bot can't follow a run in a channel, and what to do. */
export function cannotPostMessage(trouble: PostingTrouble, botName: string, say: Say): Rendered {
  return answerMessage(say(`channel.${trouble}`, { bot: escapedLine(botName, 80) }));
}

export async function outOfDate(context: ListenerContext, view: ViewOutput, say: Say): Promise<ViewAnswer> {
  const denial = await whyUnknown(context);
  if (!denial) return atFirstField(view, say('answer.newer-message'));
  const isLasting = denial.kind !== 'unsure';
  return { response_action: isLasting ? 'update' : 'push', view: startRefusalModal({ crew: null, denial }, say) };
}

/** Shows an error at a field, which keeps the form with everything typed in it. */
export function atFirstField({ state: { values } }: ViewOutput, problem: string): ViewAnswer {
  const [first] = Object.keys(values);
  return first === undefined ? undefined : { response_action: 'errors', errors: { [first]: problem } };
}
