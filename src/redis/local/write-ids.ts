import { randomBytes } from 'node:crypto';

export const WRITE_ID_LENGTH = 8;

const COUNTED = 3;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Makes ids of writes: a random beginning for the process, and a count, which comes round after 262,144 writes. */
export function createWriteIds(): () => string {
  const own = randomBytes(WRITE_ID_LENGTH)
    .toString('base64url')
    .slice(0, WRITE_ID_LENGTH - COUNTED);
  let count = 0;
  return () => {
    count += 1;
    let id = own;
    for (let i = 0; i < COUNTED; i++) id += DIGITS[(count >> (6 * i)) & 63];
    return id;
  };
}
