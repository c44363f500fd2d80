import { Text } from '@mantine/core';
import { formatNumber } from './format.ts';

type Props = { readonly label: string; readonly value: number; readonly size?: 'large' | 'small' };

/** A number with what it counts below it. */
export function Figure({ label, value, size = 'large' }: Props) {
  return (
    <div>
      <Text fz={size === 'large' ? 30 : 22} fw={600} lh={size === 'large' ? 1.1 : 1.2}>
        {formatNumber(value)}
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </div>
  );
}
