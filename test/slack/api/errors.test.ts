import { WebAPIPlatformError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { isContentRefusal, mayPassSoon, outcomeOf } from '../../../src/slack/api/errors.ts';

/** https://docs.slack.dev/reference/methods/views.open#errors */
const refusal = (error: string, ...messages: string[]) =>
  new WebAPIPlatformError({ ok: false, error, response_metadata: { messages } });

describe('an error of Slack', () => {
  it.each([
    ['msg_too_long'],
    ['view_too_large'],
    ['message_too_long'],
    ['attachment_payload_limit_exceeded'],
    ['only_one_table_allowed'],
    ['no_text'],
    ['invalid_arguments', '[ERROR] must be less than 3001 characters [json-pointer:/view/blocks/0/text/text]'],
    ['invalid_arguments', '[ERROR] no more than 50 items allowed [json-pointer:/blocks]'],
  ])('%s %s is about the content', (name, ...messages) => {
    expect(isContentRefusal(refusal(name, ...messages))).toBe(true);
  });

  it.each([
    ['invalid_arguments', '[ERROR] missing required field: trigger_id'],
    ['invalid_arguments', '[ERROR] must be a valid enum value [json-pointer:/channel]'],
    ['not_in_channel'],
    ['cannot_reply_to_message'],
    ['slack_connect_blocked_file_type'],
    ['internal_error'],
  ])('%s %s is not', (name, ...messages) => {
    expect(isContentRefusal(refusal(name, ...messages))).toBe(false);
  });

  it.each([
    ['internal_error', true],
    ['ratelimited', true],
    ['user_not_in_channel', false],
    ['is_archived', false],
    ['message_not_found', false],
  ])('%s may pass soon: %s', (name, mayPass) => {
    expect(mayPassSoon(refusal(name))).toBe(mayPass);
  });

  it('of ours is no outcome', () => {
    expect(() => outcomeOf(new TypeError('undefined is not a function'))).toThrow(TypeError);
    expect(isContentRefusal(new TypeError('blocks'))).toBe(false);
    expect(mayPassSoon(new TypeError('blocks'))).toBe(false);
  });
});
