import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { commonText } from '../strings/common.ts';

type Props = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** Lists and charts take the room of a large screen; forms stay as wide as people read. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

/** The frame of every page: its name, a sentence, what can be done, and then the page. */
export function Page({ title, description, actions, isWide = false, children }: Props) {
  useDocumentTitle(commonText.pageTitle(title));
  return (
    <Stack gap="xl" data-wide={isWide || undefined}>
      <Group justify="space-between" align="flex-start" gap="md">
        <Box style={{ minWidth: 0, flex: '1 1 16rem' }}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" mt={6} component="div" maw={720} style={{ textWrap: 'pretty' }}>
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
