import type { Remarks } from './method.ts';

const LIMIT = 40_000;
const DOCS = 'https://docs.slack.dev/changelog/2018-truncating-really-long-messages';

/** The text as Slack posts it: cut at 40,000 characters, with a warning. */
export function truncated(text: string, remarks: Remarks): string {
  if (text.length <= LIMIT) return text;
  remarks.rule({
    code: 'message_truncated',
    detail: `Text over ${LIMIT} characters is truncated.`,
    documentation: DOCS,
  });
  remarks.warning({
    code: 'message_truncated',
    message: 'Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.',
  });
  return text.slice(0, LIMIT);
}
