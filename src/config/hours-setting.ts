import { z } from 'zod';
import { parseWorkingHours, type WorkingHours } from '../core/working-hours.ts';

const RULE = 'must be days, hours of one day and a time zone, such as Mon-Fri 09:00-17:00 Europe/Berlin';

export const HOURS = z.string(RULE).transform((written, context): WorkingHours => {
  const hours = parseWorkingHours(written);
  if (hours) return hours;
  context.issues.push({ code: 'custom', message: RULE, input: written });
  return z.NEVER;
});
