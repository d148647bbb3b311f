import type { Warning } from '../api/warnings.ts';

export type ContentType = { type: string; charset: string | undefined };

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';
const TEXT_TYPE = 'text/plain';

const CHARSETS = ['utf-8', 'iso-8859-1'];

export function parseContentType(header: string): ContentType {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((part) => part.startsWith('charset='));
  return { type, charset: charset?.slice('charset='.length).replaceAll('"', '') };
}

/**
 * Why a body of this type isn't read: the error code, or undefined.
 * https://docs.slack.dev/reference/methods/auth.test#errors
 */
export function whyNotRead({ type, charset }: ContentType): string | undefined {
  if (type === '') return 'missing_post_type';
  if (![JSON_TYPE, FORM_TYPE, MULTIPART_TYPE, TEXT_TYPE].includes(type)) return 'invalid_post_type';
  return charset === undefined || CHARSETS.includes(charset) ? undefined : 'invalid_charset';
}

/**
 * JSON should name its charset, forms shouldn't. https://github.com/ansible-collections/community.general/issues/3932,
 * https://github.com/slackapi/python-slack-sdk/issues/692
 */
export function charsetWarnings({ type, charset }: ContentType): Warning[] {
  const isForm = type === FORM_TYPE || type === MULTIPART_TYPE;
  if (isForm) return charset === undefined ? [] : [{ code: 'superfluous_charset' }];
  return charset === undefined ? [{ code: 'missing_charset' }] : [];
}
