import { answerCommand } from '../../interaction/answer-command.ts';
import type { AckCommand } from '../../interaction/handlers.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { SlashCommand } from '../../interaction/slash-command.ts';
import type { Say } from '../../language/say.ts';
import type { ChartMessage } from '../../ui/chart.ts';
import { findStats } from './find-stats.ts';
import { statsMessage, statsWithChart } from './stats-message.ts';

/** Answers `/kickoff stats`: with a chart, or where the workspace has none, with bars in text. */
export async function onStatsCommand(
  context: ListenerContext,
  command: SlashCommand,
  { crew, ack, say }: { crew: string | null; ack: AckCommand; say: Say },
): Promise<void> {
  const now = Date.now();
  const stats = await findStats(context, { crew, personId: command.actor.person.id, now });
  // Whether Slack takes a chart can only be seen from the answer to a call.
  await ack();
  const deciders = stats.periods.flatMap((period) => period.deciders.map(({ id }) => ({ id, name: id })));
  const wording = { now, say, name: await context.namesOf(...deciders) };
  if (await isChartTaken(context, command, statsWithChart(stats, wording))) return;
  await answerCommand(context, command, statsMessage(stats, wording));
}

async function isChartTaken(
  { respond, chartSupport, log }: ListenerContext,
  { responseUrl }: SlashCommand,
  message: ChartMessage | null,
): Promise<boolean> {
  if (message === null || responseUrl === null || chartSupport.isRefused) return false;
  const taken = await respond(responseUrl, message);
  if (taken.ok) return true;
  if (taken.refusal.reason === 'invalid_blocks') {
    chartSupport.isRefused = true;
    log.info('Slack takes no charts in this workspace yet, so the figures come with bars in text');
  }
  return false;
}
