import { Badge, Tooltip } from '@mantine/core';
import type { LiveState } from '../api/live.ts';
import { commonText } from '../strings/common.ts';
import classes from './live-badge.module.css';

const colors = {
  connecting: 'gray',
  live: 'signpost',
  away: 'orange',
} as const;

export function LiveBadge({ state }: { readonly state: LiveState }) {
  const { label, hint } = commonText.live[state];
  return (
    <Tooltip label={hint}>
      <Badge
        variant="light"
        color={colors[state]}
        tt="none"
        fw={500}
        leftSection={<span className={classes.dot} data-state={state} />}
        role="status"
      >
        {label}
      </Badge>
    </Tooltip>
  );
}
