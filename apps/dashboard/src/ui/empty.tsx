import { Box, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { commonText } from '../strings/common.ts';
import { Snippet } from './snippet.tsx';

type Props = {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** The same by API, and what to call that. */
  readonly curl?: string;
  readonly curlTitle?: string;
  /** 1 where it is all that the page has. */
  readonly order?: 1 | 2;
};

/** An empty page says what to do next, by hand and by API. */
export function Empty({ title, children, action, curl, curlTitle = commonText.api.use, order = 2 }: Props) {
  return (
    <Stack align="center" ta="center" py="xl" px="sm" gap="md">
      <Title order={order}>{title}</Title>
      <Text c="dimmed" maw={480} component="div" style={{ textWrap: 'balance' }}>
        {children}
      </Text>
      {action}
      {curl && (
        <Box w="100%" maw={680} mt="md">
          <Text size="sm" c="dimmed" mb={8}>
            {curlTitle}
          </Text>
          <Snippet text={curl} what={commonText.api.curl} />
        </Box>
      )}
    </Stack>
  );
}
