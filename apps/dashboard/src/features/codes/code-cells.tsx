import { Badge, Group, Text, Tooltip } from '@mantine/core';
import type { BrowseItem } from '@signpost/contract';
import { lazy, Suspense } from 'react';
import { codesText } from '../../strings/codes.ts';
import { shownUrl } from '../../ui/format.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TagList } from '../tags/tag-chip.tsx';
import classes from './codes-table.module.css';
import { healthOf } from './health.ts';
import { ScanSparkline } from './scan-sparkline.tsx';

const Thumb = lazy(() => import('./code-thumb.tsx').then(module => ({ default: module.CodeThumb })));

type Props = { readonly code: BrowseItem };

/** A small picture of the code; its name stands beside it, so it needs none of its own. */
export function PictureOf({ code }: Props) {
  return (
    <Suspense fallback={<span className={classes.thumb} />}>
      <Thumb code={code} />
    </Suspense>
  );
}

/** The name, what is unusual about the code, and below it where it leads. What is cut is said on hovering. */
export function NameOf({ code }: Props) {
  return (
    <div className={classes.name}>
      <div className={classes.firstLine}>
        <LinkAnchor
          to="/codes/$id"
          params={{ id: code.id }}
          fw={500}
          size="sm"
          c="var(--mantine-color-text)"
          className={classes.link}
        >
          <span className={classes.oneLine} title={code.name}>
            {code.name}
          </span>
        </LinkAnchor>
        <RulesMark code={code} />
        <Statuses code={code} />
      </div>
      <Text size="xs" c="dimmed" className={classes.oneLine} title={code.destination_url}>
        {shownUrl(code.destination_url)}
      </Text>
    </div>
  );
}

/** A code that may lead elsewhere than its destination says so. */
export function RulesMark({ code }: { readonly code: Pick<BrowseItem, 'rule_count'> }) {
  if (code.rule_count === 0) return null;
  return (
    <Badge variant="default" tt="none" fw={400} size="sm" miw="fit-content">
      {codesText.list.rules(code.rule_count)}
    </Badge>
  );
}

/** The first tags of a code; the others are counted. */
export function RowTags({ code, most }: Props & { readonly most: number }) {
  if (code.tags.length === 0) return null;
  return (
    <div className={classes.tags}>
      <TagList tags={code.tags} of={code.name} most={most} />
    </div>
  );
}

/** Nothing for a code that simply works. What the owner has set, and what stops the code whatever that is. */
export function Statuses({
  code: { status, archived, availability },
}: {
  readonly code: Pick<BrowseItem, 'status' | 'archived' | 'availability'>;
}) {
  const stopped = availability.state === 'suspended' || availability.state === 'held';
  if (status === 'active' && !archived && !stopped) return null;
  return (
    <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
      {status !== 'active' && <StatusBadge status={status} />}
      {archived && <StatusBadge status="archived" />}
      {stopped && <StatusBadge status={availability.state} />}
    </Group>
  );
}

const colors = { new: 'signpost', unscanned: 'gray', declining: 'orange', dormant: 'gray' } as const;

/** The last days as a line, and a word where an owner should look. */
export function Trend({ code }: Props) {
  const health = healthOf(code);
  const isFlat = !code.sparkline?.some(scans => scans > 0);
  return (
    <Group gap={8} wrap="nowrap">
      {code.sparkline && !isFlat && <ScanSparkline scans={code.sparkline} />}
      {health && (
        <Tooltip label={health.reason} events={{ hover: true, focus: true, touch: true }}>
          <Badge
            variant="light"
            color={colors[health.word]}
            tt="none"
            fw={400}
            size="sm"
            miw="fit-content"
            tabIndex={0}
            aria-label={`${codesText.health[health.word]}: ${health.reason}`}
            role="note"
          >
            {codesText.health[health.word]}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

export const scansOf = (code: BrowseItem): string => codesText.list.scans(code.total_scans);
