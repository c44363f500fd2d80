import { Paper, SimpleGrid, Text } from '@mantine/core';
import { formatNumber } from '../../ui/format.ts';

type Props = { readonly figures: readonly { readonly label: string; readonly value: number }[] };

/** The few numbers that matter most. */
export function Figures({ figures }: Props) {
  return (
    <SimpleGrid
      cols={{ base: figures.length === 3 ? 3 : 2, sm: figures.length }}
      spacing={{ base: 'xs', sm: 'md' }}
      component="dl"
      m={0}
      className="figures"
    >
      {figures.map(({ label, value }) => (
        <Paper key={label} withBorder p={{ base: 'sm', sm: 'md' }}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz={{ base: 20, sm: 28 }} fw={680} lh={1.2}>
            {formatNumber(value)}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
