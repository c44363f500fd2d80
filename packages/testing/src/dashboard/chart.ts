import type { Locator, Page } from 'playwright-core';

type Drawn = {
  readonly buckets: readonly { date: string; state: string; scans: number; height: number }[];
  readonly ticks: readonly { value: number; y: number }[];
  readonly labels: readonly { at: number; x: number }[];
  /** The series of the period before, as heights in px, where it is drawn. */
  readonly ghost: readonly number[];
};

/** What the chart of an analytics page shows, by its shapes. */
export const readChart = async (page: Page): Promise<Drawn> =>
  (await page.evaluate(`({
    buckets: [...document.querySelectorAll('[data-bucket]')].map(group => {
      const bar = group.querySelector('[data-scans]');
      return {
        date: group.dataset.bucket,
        state: group.dataset.state,
        scans: Number(bar.dataset.scans),
        height: Number(bar.getAttribute('height')),
      };
    }),
    ticks: [...document.querySelectorAll('[data-tick]')].map(tick => ({
      value: Number(tick.dataset.tick),
      y: Number(tick.querySelector('line').getAttribute('y1')),
    })),
    labels: [...document.querySelectorAll('svg [data-label]')].map(label => ({
      at: Number(label.dataset.label),
      x: Number(label.getAttribute('x')),
    })),
    ghost: [...(document.querySelector('[data-ghost]')?.getAttribute('d') ?? '').matchAll(/[ML] ?(-?[\\d.]+)[ ,](-?[\\d.]+)/g)]
      .map(([, , y]) => Number(document.querySelector('[data-tick="0"] line').getAttribute('y1')) - Number(y)),
  })`)) as Drawn;

/** How many scans a height in the chart stands for, by its ticks. */
export function scansPerPx({ ticks }: Drawn): number {
  const [first, last] = [ticks[0]!, ticks.at(-1)!];
  return (last.value - first.value) / (first.y - last.y);
}

export const figure = (page: Page, label: string): Locator => page.locator(`[data-figure="${label}"]`);
