import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { metricList } from '../../apps/server/src/commands/metrics.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

const alerts = read('deploy/prometheus/alerts.yaml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map(text => ({
    name: /^\w+/.exec(text)![0],
    expr: /expr: '?(.+)/.exec(text)?.[1] ?? '',
    runbook: /runbook_url: (\S+)/.exec(text)?.[1] ?? '',
  }));

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };
const panels = (JSON.parse(read('deploy/grafana/signpost.json')) as { panels: Panel[] }).panels.filter(
  panel => panel.targets,
);

/** A histogram is asked by its parts. */
const known = new Set(
  metricList().flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  ),
);
const metricsIn = (expr: string) =>
  expr.match(/\b(signpost|nodejs|process)_\w+/g)?.filter(name => !/^process_start$/.test(name)) ?? [];

describe('alerts', () => {
  test.each(alerts)('$name asks for metrics that exist', ({ expr }) => {
    const named = metricsIn(expr);
    if (!expr.startsWith('up{')) expect(named).not.toEqual([]);
    expect(named.filter(name => !known.has(name))).toEqual([]);
  });

  test.each(alerts)('$name leads to a runbook that says where to look and what to do', ({ runbook }) => {
    expect(runbook).toMatch(/^docs\/self-hosting\/runbooks\/[\w-]+\.md$/);
    expect(read(runbook)).toMatch(/^# .+[\s\S]+\*\*Impact:[\s\S]+## Diagnose\n[\s\S]+## Fix\n/);
  });

  test('every runbook belongs to an alert, and every alert is on the page of operations', () => {
    const files = readdirSync(resolve(root, 'docs/self-hosting/runbooks')).map(
      name => `docs/self-hosting/runbooks/${name}`,
    );
    expect(files.filter(file => !alerts.some(alert => alert.runbook === file))).toEqual([]);
    const page = read('docs/self-hosting/operations.md');
    const missing = alerts.filter(
      ({ name, runbook }) =>
        !page
          .split('\n')
          .some(
            row => row.includes(`\`${name}\``) && row.includes(runbook.slice('docs/self-hosting/'.length)),
          ),
    );
    expect(missing).toEqual([]);
  });

  test('every alert has a test that it fires', () => {
    const tested = read('deploy/prometheus/alerts.test.yaml');
    expect(alerts.filter(({ name }) => !tested.includes(`- name: ${name}\n`))).toEqual([]);
  });
});

test.each(panels)('the panel $title asks for metrics that exist', ({ targets }) => {
  for (const { expr } of targets!) {
    expect(metricsIn(expr)).not.toEqual([]);
    expect(metricsIn(expr).filter(name => !known.has(name))).toEqual([]);
  }
});

/** What Prometheus adds, and what belongs to a histogram. */
const labelsOfAll = ['job', 'instance', 'role', 'le'];
const labelsOf = new Map(
  metricList().flatMap(({ name, labels }) =>
    ['', '_bucket', '_count', '_sum'].map(part => [`${name}${part}`, labels] as const),
  ),
);

test.each([
  ...alerts,
  ...panels.flatMap(({ title, targets }) => targets!.map(({ expr }) => ({ name: title, expr }))),
])('$name selects and groups by labels that its metrics have', ({ expr }) => {
  const has = (name: string, label: string) =>
    labelsOfAll.includes(label) || labelsOf.get(name)!.includes(label);
  for (const [, name, selector] of expr.matchAll(/\b(signpost_\w+)\{([^}]*)\}/g))
    for (const [, label] of selector!.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
      expect([name, label, has(name!, label!)]).toEqual([name, label, true]);
  for (const [, words] of expr.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of words!.split(/, */))
      expect([label, metricsIn(expr).some(name => !labelsOf.has(name) || has(name, label))]).toEqual([
        label,
        true,
      ]);
});

test('no two panels have the same id or lie over one another', () => {
  const { panels: all } = JSON.parse(read('deploy/grafana/signpost.json')) as {
    panels: { id: number; title: string; gridPos: { x: number; y: number; w: number; h: number } }[];
  };
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const places = all.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  expect(new Set(places).size).toBe(places.length);
});

test('what operations, runbooks and alerts name as metrics and link to is there', () => {
  const pages = [
    'docs/self-hosting/operations.md',
    ...readdirSync(resolve(root, 'docs/self-hosting/runbooks')).map(
      name => `docs/self-hosting/runbooks/${name}`,
    ),
  ];
  const names = new Set([...known, ...metricList().map(({ name }) => name)]);
  for (const page of pages) {
    const text = read(page);
    const unknown = [...text.matchAll(/`((?:signpost|nodejs)_\w+)`/g)].map(([, name]) => name!);
    expect(unknown.filter(name => !names.has(name))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => resolve(root, page, '..', link!));
    expect(links.filter(link => !existsSync(link))).toEqual([]);
  }
});
