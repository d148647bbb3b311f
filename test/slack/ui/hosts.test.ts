import { expect, it } from 'vitest';
import { disguisedHosts, withPlainHosts } from '../../../src/slack/ui/masking.ts';

it.each([
  ['https://\u0430pple.com/id', 'https://xn--pple-43d.com/id'],
  ['see [Apple](https://\u0430pple.com)', 'see [Apple](https://xn--pple-43d.com)'],
  ['mail a@g\u043E\u043Egle.com.', 'mail a@xn--ggle-55da.com.'],
  ['https://user@p\u0430ypal.com:8443/x', 'https://user@xn--pypal-4ve.com:8443/x'],
  ['www.\u0440\u0430\u0443\u0440\u0430l.com', 'www.xn--l-7sba6dbr.com'],
  ['https://\u0430\u0440\u0440\u04CF\u0435.com', 'https://xn--80ak6aa92e.com'],
  ['https://\u03B1pple.com', 'https://xn--pple-zld.com'],
])('%s, whose letters come from several scripts, is shown in punycode', (text, shown) => {
  expect(withPlainHosts(text)).toBe(shown);
  expect(disguisedHosts(`${text} ${text}`)).toHaveLength(1);
});

it.each([
  'https://münchen.de, https://пример.рф, https://例え.jp, https://日本語ラベルabc.com and https://한국.com',
  'https://apple.com, a.b.c, 1.2.3, e.g. this, см. README и т.д.',
  'Привет.Мир и файл config.yaml',
])('%s is shown as it is', (text) => {
  expect(withPlainHosts(text)).toBe(text);
  expect(disguisedHosts(text)).toEqual([]);
});
