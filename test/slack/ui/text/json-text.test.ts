import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonProblem, readableJson } from '../../../../src/slack/ui/text/json-text.ts';

describe('JSON', () => {
  it('is indented without any change of what it says', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 4), (text, indent) => {
        fc.pre(/^[{[]/.test(text));
        const readable = readableJson(JSON.stringify(JSON.parse(text), null, indent));
        expect(JSON.parse(readable ?? '')).toEqual(JSON.parse(text));
      }),
    );
    expect(readableJson('{"a":1,"b":[true,{"c":null}],"d":{},"e":[]}')).toBe(
      '{\n  "a": 1,\n  "b": [\n    true,\n    {\n      "c": null\n    }\n  ],\n  "d": {},\n  "e": []\n}',
    );
  });

  it('keeps digits and names that are given twice, and shows letters', () => {
    expect(readableJson('{"n": 1.50, "n": 12345678901234567890, "t": "\\u4f60\\u200b"}')).toBe(
      '{\n  "n": 1.50,\n  "n": 12345678901234567890,\n  "t": "你\\u200b"\n}',
    );
  });

  it.each<[string, object | null]>([
    ['{"a": 1}', null],
    ['[1, 2]\n', null],
    ['{"a": 1,}', { line: 1, column: 9 }],
    ['{\n  "a": 1\n  "b": 2\n}', { line: 3, column: 3 }],
    ['{\n  "a": tru\n}', { line: 2, column: 8 }],
    ['{"a": "open\n"}', { line: 1, column: 7 }],
    ['{"a": 1} and', { line: 1, column: 10 }],
    ['', { line: 1, column: 1 }],
  ])('that isn’t any says where: %j', (text, problem) => {
    expect(jsonProblem(text)).toEqual(problem);
  });

  it.each(['', 'text', '"text"', '12', '{', '{"a": 01}', "{'a': 1}", '['.repeat(100_000)])('isn’t %j', (text) => {
    expect(readableJson(text)).toBeNull();
  });
});
