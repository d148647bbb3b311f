import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/core/ledger/entry.ts';

/** https://www.rfc-editor.org/rfc/rfc8785#section-3.2.2 */
it('writes texts, numbers and literals as the RFC does', () => {
  const value = JSON.parse(
    `{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,1e21],` +
      String.raw`"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
  );
  expect(canonicalJson(value)).toBe(
    `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21],` +
      String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

/** https://www.rfc-editor.org/rfc/rfc8785#section-3.2.3 */
it('sorts names by their UTF-16 units, in every object', () => {
  const names = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  const value = Object.fromEntries(names.toReversed().map((name) => [name, [{ b: 1, a: 2 }]]));
  expect(canonicalJson(value)).toBe(`{${names.map((name) => `${JSON.stringify(name)}:[{"a":2,"b":1}]`).join(',')}}`);
});
