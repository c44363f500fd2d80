import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** What axe finds that is serious or critical on the page as it stands. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // By the debugger, since the policy of the page lets no script in.
  await page.evaluate(source);
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as readonly Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
