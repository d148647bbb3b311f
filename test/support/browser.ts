import { type Browser, chromium } from 'playwright-core';
import { ensureChromium, ensureEmojiFont } from '../../src/setup/system-programs.mjs';

// Chromium refuses to run as root with its sandbox; everything else keeps it from reaching out or asking.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The system's Chromium without a window, for tests of pages; installed first where it is missing and can be. The
 * caller closes it. Rejects with one sentence that says what to install.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await ensureChromium();
  await ensureEmojiFont();
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
