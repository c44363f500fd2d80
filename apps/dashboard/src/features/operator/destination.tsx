import { Group, Stack, Text } from '@mantine/core';
import { Copy } from '../../ui/copy.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { hostOf } from './words.ts';

/** Where a code leads: the host to be read at a glance, the rest small. Never a link, which one might open by mistake. */
export function Destination({ url }: { readonly url: string }) {
  if (url === '')
    return (
      <Text size="sm" c="dimmed">
        The code was deleted, and leads nowhere.
      </Text>
    );
  return (
    <Stack gap={2} miw={0}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Text size="lg" fw={650} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
          {hostOf(url)}
        </Text>
        <Copy value={url} what="destination" />
      </Group>
      <LongText text={url} what="the destination" lines={2} size="xs" c="dimmed" ff="monospace" />
    </Stack>
  );
}
