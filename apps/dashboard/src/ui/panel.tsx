import { Group, Paper, type PaperProps, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = PaperProps & {
  readonly title?: string;
  readonly description?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
};

/** A part of a page with a heading of its own. */
export function Panel({ title, description, aside, children, ...rest }: Props) {
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-label={title} {...rest}>
      <Stack gap="md">
        {title && (
          <Group justify="space-between" align="flex-start" gap="sm">
            <div>
              <Title order={2}>{title}</Title>
              {description && (
                <Text size="sm" c="dimmed" mt={4} component="div">
                  {description}
                </Text>
              )}
            </div>
            {aside}
          </Group>
        )}
        {children}
      </Stack>
    </Paper>
  );
}
