import type { Denial, Permit } from '../../../core/approval/policy/permits.ts';
import { HANDED_OVER } from '../../../core/approval/policy/permits.ts';
import { escapedLine } from '../../ui/text/escape.ts';

/** Whether the person who asks may do something, such as `start it`, and why not; mrkdwn. */
export function ownRightSentence(permit: Permit, { what, crew }: { what: string; crew: string }): string {
  if (permit.kind === 'denied') return `🚫 You can’t ${what}: ${whyNot(permit.denial, crew)}.`;
  return `✔️ You can ${what}${permit.rule === HANDED_OVER ? ': it was handed over to you' : ''}.`;
}

function whyNot(denial: Denial, crew: string): string {
  switch (denial.kind) {
    case 'stranger':
      return 'you belong to another organisation';
    case 'guest':
      return 'you are a guest, and the rules don’t let you';
    case 'bot':
      return 'you are an app';
    case 'deactivated':
      return 'your account is deactivated';
    case 'self-approval':
      return 'you started the run';
    case 'not-approver':
      return 'you aren’t one of those who may';
    case 'no-token':
      return `it takes your own access token; type \`/kickoff connect ${escapedLine(crew, 80)}\``;
    case 'unsure':
      return `Slack can’t say right now ${unsureOf(denial.approver)}`;
  }
}

function unsureOf(approver: string | null): string {
  if (approver === null) return 'who everybody concerned is';
  return `whether you are meant by ${approver === 'channel' ? 'the members of the channel' : escapedLine(approver, 100)}`;
}
