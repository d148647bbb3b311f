import type { Dialect, DialectName } from './dialect.ts';
import { observedDialect } from './observed-dialect.ts';
import { specDialect } from './spec-dialect.ts';

export const dialects: Readonly<Record<DialectName, Dialect>> = { spec: specDialect, observed: observedDialect };
