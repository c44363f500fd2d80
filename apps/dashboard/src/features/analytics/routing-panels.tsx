import { Grid } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { analyticsText as text } from '../../strings/analytics.ts';
import { Panel } from '../../ui/panel.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { BarList } from './bar-list.tsx';
import { type Bar, placementBars, targetBars } from './breakdowns.ts';
import { type CodeNames, type Filters, hasFilters } from './filters.ts';
import type { Report } from './queries.ts';

type Props = {
  readonly code: QrCode;
  readonly report: Report;
  readonly names: CodeNames;
  readonly onFilter: (filters: Filters) => void;
};

/** Where the scans led, and where the codes hang that were scanned: of a code that leads or hangs in several places. */
export function RoutingPanels({ code, report, names, onFilter }: Props) {
  const ruleOf = (id: string) => {
    const at = code.rules.findIndex(rule => rule.id === id);
    return at < 0 ? undefined : code.rules[at]!.name || text.ruleNumber(at + 1);
  };
  const isFiltered = hasFilters(report.view.filters);
  const shown = (bars: readonly Bar[]) => bars.filter(({ scans }) => scans > 0 || !isFiltered);
  const list = { total: report.summary.total_scans, onFilter };
  const hasTargets = report.targets.length > 1;
  const hasPlacements = report.placements.length > 0;
  if (!hasTargets && !hasPlacements) return null;
  const span = { base: 12, md: hasTargets && hasPlacements ? 6 : 12 };
  return (
    <Grid gap="md">
      {hasPlacements && (
        <Grid.Col span={span}>
          <Panel
            title={text.placements}
            aside={
              <LinkAnchor size="sm" to="/codes/$id/placements" params={{ id: code.id }}>
                {text.allPlacements}
              </LinkAnchor>
            }
            h="100%"
          >
            <BarList caption={text.byPlacement} bars={shown(placementBars(report, names))} {...list} />
          </Panel>
        </Grid.Col>
      )}
      {hasTargets && (
        <Grid.Col span={span}>
          <Panel title={text.destinations} h="100%">
            <BarList caption={text.byDestination} bars={shown(targetBars(report, names, ruleOf))} {...list} />
          </Panel>
        </Grid.Col>
      )}
    </Grid>
  );
}
