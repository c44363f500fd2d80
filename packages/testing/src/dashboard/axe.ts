import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { type Scheme, schemes } from './viewport.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** The serious and critical findings of axe on the current page. */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Through the debugger, because the page's CSP allows no other script.
  await page.evaluate(`if (!globalThis.axe) { ${source} }`);
  // A colour that is still changing is none that anybody reads.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished))',
  );
  const options = {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  };
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** The rules whose result depends on colours; all others find the same in every scheme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** The findings of every rule in the first scheme, and of the rules about colours in the others. */
export async function findingsInSchemes(
  page: Page,
  what: string,
  among: readonly Scheme[] = schemes,
): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const [at, scheme] of among.entries()) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    const found = await seriousFindings(page, at === 0 ? undefined : colorRules);
    findings.push(...found.map(finding => `${what}, ${scheme}: ${finding}`));
  }
  return findings;
}
