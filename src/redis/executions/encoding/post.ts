import type { Post } from '../../../core/messages/post.ts';
import { flag, nullable, number, text } from './codec.ts';
import { type Fields, field, union } from './fields.ts';
import { CLAIMED, instant } from './values.ts';

const TRIED: Fields<{ tries: number; notBefore: number }> = {
  tries: field('n', number, 0),
  notBefore: field('nb', instant),
};

export const post = union<Post, 'status'>(
  'status',
  { name: 's', usual: 'posted' },
  {
    due: TRIED,
    posting: {
      tries: TRIED.tries,
      attempt: field('a', number),
      mayExist: field('me', flag, false),
      ...CLAIMED,
    },
    unsure: TRIED,
    posted: { ts: field('ts', text), shown: field('sh', text), ...TRIED },
    gone: { ts: field('ts', nullable(text), null) },
  },
);
