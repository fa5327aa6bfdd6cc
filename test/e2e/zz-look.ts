import { openBrowser } from './browser.ts';
const [url, t, c] = process.argv.slice(2);
const b = await openBrowser(url!); const { page } = b;
const look = async (path: string, text: string, name: string) => {
  await b.goto(path); await page.waitForTimeout(4000);
  await page.screenshot({ path: `/tmp/look-${name}-canvas.png` });
  await page.locator('[data-test-id=canvas-node]', { hasText: text }).first().dblclick(); await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/look-${name}.png` });
};
await look(t!, 'balance', 'trigger').catch((e) => console.log(String(e)));
await look(c!, 'Call', 'call').catch((e) => console.log(String(e)));
await b.close();
