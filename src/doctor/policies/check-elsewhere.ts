import type { Approver } from '../../core/approval/policy/approver.ts';
import type { Crew } from '../../core/crew.ts';
import { slackErrorName } from '../../slack/api/errors.ts';
import { doubtful, type Finding, wrong } from '../finding.ts';
import type { PolicyContext } from './policy-context.ts';
import { lacksScope } from './policy-scopes.ts';

/** Checks that those who start runs elsewhere can't decide them, where starters may not: that they are known, and to Slack. */
export async function checkElsewhere(crew: Crew, context: PolicyContext): Promise<Finding[]> {
  const { name, approval, channel, startedElsewhere } = crew;
  const isAnyBarred = [approval, ...approval.tasks].some(({ selfApproval }) => !selfApproval);
  if (!isAnyBarred || channel === null || startedElsewhere === 'refused') return [];
  const about = `Policy of ${name}`;
  if (approval.startedElsewhere.length === 0)
    return [
      doubtful(
        about,
        'self_approval is false, but who starts a run elsewhere is unknown, and can decide it.',
        'Set started_elsewhere to those who do, or to refuse.',
      ),
    ];
  const found = await Promise.all(approval.startedElsewhere.map((starter) => checkStarter(about, starter, context)));
  return found.filter((finding) => finding !== null);
}

/** Null if Slack knows this person, or is known to refuse to say. */
async function checkStarter(about: string, starter: Approver, context: PolicyContext): Promise<Finding | null> {
  if (lacksScope(starter, context.identity)) return null;
  const { kind, name } = starter;
  const { lookUps } = context;
  try {
    const known = kind === 'email' ? await lookUps.idByEmail(name, 'fact') : await lookUps.user(name, 'fact');
    if (known !== null) return null;
    const found = `Slack knows nobody as ${name}, so that nobody can decide a run that was started elsewhere.`;
    return wrong(about, found, 'Correct started_elsewhere.');
  } catch (error) {
    return doubtful(about, `couldn't look up ${name} (${slackErrorName(error) ?? 'no answer'}).`, 'Run this again.');
  }
}
