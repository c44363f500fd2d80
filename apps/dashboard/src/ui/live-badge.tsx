import { Badge, Tooltip } from '@mantine/core';
import type { LiveState } from '../api/live.ts';
import classes from './live-badge.module.css';

const looks = {
  connecting: { color: 'gray', label: 'Connecting', hint: 'New scans will appear by themselves.' },
  live: { color: 'signpost', label: 'Listening', hint: 'New scans appear by themselves.' },
  away: {
    color: 'orange',
    label: 'Reconnecting',
    hint: 'The line is cut. Nothing is lost: what is missed comes later.',
  },
} as const;

export function LiveBadge({ state }: { readonly state: LiveState }) {
  const { color, label, hint } = looks[state];
  return (
    <Tooltip label={hint}>
      <Badge
        variant="light"
        color={color}
        tt="none"
        fw={600}
        leftSection={<span className={classes.dot} data-state={state} />}
        role="status"
      >
        {label}
      </Badge>
    </Tooltip>
  );
}
