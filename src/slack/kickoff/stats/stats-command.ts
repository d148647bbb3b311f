import { respondPrivately } from '../../api/response-url.ts';
import { answerCommand } from '../../interaction/answer-command.ts';
import type { CommandArgs } from '../../interaction/listeners.ts';
import type { Say } from '../../language/say.ts';
import type { ChartMessage } from '../../ui/chart.ts';
import { findStats } from './find-stats.ts';
import { statsMessage, statsWithChart } from './stats-message.ts';

/** Answers `/kickoff stats`: with a chart, or where the workspace has none, with bars in text. */
export async function onStatsCommand(
  args: CommandArgs,
  { crew, say }: { crew: string | null; say: Say },
): Promise<void> {
  const { ack, context } = args;
  const now = Date.now();
  const stats = await findStats(context, { crew, personId: context.person.id, now });
  // Whether Slack takes a chart can only be seen from the answer to a call.
  await ack();
  const deciders = stats.periods.flatMap((period) => period.deciders.map(({ id }) => ({ id, name: id })));
  const wording = { now, say, name: await context.namesOf(...deciders) };
  if (await isChartTaken(args, statsWithChart(stats, wording))) return;
  await answerCommand(args, statsMessage(stats, wording));
}

async function isChartTaken(
  { context: { chartSupport, log }, respond }: CommandArgs,
  message: ChartMessage | null,
): Promise<boolean> {
  if (message === null || chartSupport.isRefused) return false;
  const taken = await respondPrivately(respond, message);
  if (taken.ok) return true;
  if (taken.refusal.reason === 'invalid_blocks') {
    chartSupport.isRefused = true;
    log.info('Slack takes no charts in this workspace yet, so the figures come with bars in text');
  }
  return false;
}
