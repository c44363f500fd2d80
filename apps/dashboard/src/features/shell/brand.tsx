import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { commonText } from '../../strings/common.ts';
import { shellText } from '../../strings/shell.ts';
import classes from './brand.module.css';

/** The signpost itself: one arm that points, one that can be turned. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0c6673" />
      <path d="M15 6h2v20h-2z" fill="#fff" />
      <path d="M9 8h13l4 3.5-4 3.5H9z" fill="#fff" />
      <path d="M23 17H12l-4 3 4 3h11z" fill="#fff" fillOpacity=".62" />
    </svg>
  );
}

export function Brand() {
  return (
    <Link to="/codes" className={classes.brand} aria-label={shellText.brand}>
      <Group gap={10} wrap="nowrap">
        <Mark />
        <Text fw={600} size="lg" visibleFrom="xs">
          {commonText.product}
        </Text>
      </Group>
    </Link>
  );
}
