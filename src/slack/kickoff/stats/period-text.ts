import type { DecisionSummary } from '../../../core/stats.ts';
import type { Say } from '../../language/say.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { duration } from '../../ui/text/moment.ts';

interface Period extends DecisionSummary {
  days: number;
}

/** The figures of some days, a line for each; mrkdwn. */
export function periodText(period: Period, { name, say }: { name: NameOf; say: Say }): string {
  const { days, approved, changesRequested: rejected, expired, timeToDecision, deciders } = period;
  const count = approved + rejected;
  const people = deciders.map(({ id, decisions }) =>
    say('stats.decider', { name: nameIn(name, { id, name: id }), count: decisions }),
  );
  const lines = [
    say('stats.last-days', { days }),
    count === 0 ? say('stats.none-decided') : say('stats.decided', { count, approved, rejected }),
    ...(expired > 0 ? [say('stats.expired', { count: expired })] : []),
    ...(timeToDecision ? [timeLine(timeToDecision, say)] : []),
    ...roundLines(period, say),
    ...(people.length > 0 ? [say('stats.deciders', { people: say.list(people) })] : []),
  ];
  return lines.join('\n');
}

function timeLine({ medianMs, p90Ms }: NonNullable<DecisionSummary['timeToDecision']>, say: Say): string {
  return say('stats.time', { median: duration(medianMs, say), p90: duration(p90Ms, say) });
}

function roundLines({ approvals, approved }: DecisionSummary, say: Say): string[] {
  if (!approvals) return [];
  const { rounds, atFirst } = approvals;
  return [
    say('stats.rounds', { rounds }),
    say('stats.at-first', { share: atFirst / approved, count: atFirst, of: approved }),
  ];
}
