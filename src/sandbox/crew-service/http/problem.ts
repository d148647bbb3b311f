/** Why a request was refused. A refused request has no effect. */
export type Problem =
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'unauthorized'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'not-found'; readonly message: string }
  | { readonly kind: 'wrong-method'; readonly message: string }
  | { readonly kind: 'timeout'; readonly message: string }
  | { readonly kind: 'too-large'; readonly message: string }
  | { readonly kind: 'headers-too-large'; readonly message: string }
  | { readonly kind: 'not-pending'; readonly message: string }
  | { readonly kind: 'missing-inputs'; readonly names: readonly string[] }
  | { readonly kind: 'missing-fields'; readonly names: readonly string[] }
  | { readonly kind: 'fault'; readonly message: string };

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

export function ok<Value>(value: Value): Outcome<Value> {
  return { ok: true, value };
}

export function refuse(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}

/** The codes of section 7 of the specification; the others come from RFC 9110, 431 from RFC 6585. */
export function statusOf(problem: Problem): number {
  switch (problem.kind) {
    case 'malformed':
    case 'not-pending':
      return 400;
    case 'unauthorized':
      return 401;
    case 'forbidden':
      return 403;
    case 'not-found':
      return 404;
    case 'wrong-method':
      return 405;
    case 'timeout':
      return 408;
    case 'too-large':
      return 413;
    case 'headers-too-large':
      return 431;
    case 'missing-inputs':
    case 'missing-fields':
      return 422;
    case 'fault':
      return 500;
  }
}

export function messageOf(problem: Problem): string {
  switch (problem.kind) {
    case 'missing-inputs':
      return `Missing inputs: ${problem.names.join(', ')}`;
    case 'missing-fields':
      return `Missing fields: ${problem.names.join(', ')}`;
    case 'malformed':
    case 'not-pending':
    case 'unauthorized':
    case 'forbidden':
    case 'not-found':
    case 'wrong-method':
    case 'timeout':
    case 'too-large':
    case 'headers-too-large':
    case 'fault':
      return problem.message;
  }
}
