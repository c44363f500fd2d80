import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { Copy } from '../../ui/copy.tsx';
import { formatDateTime, shownUrl } from '../../ui/format.ts';

/** The link that the image encodes. It never changes. */
export function CodeLinks({ code }: { readonly code: QrCode }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        Short link
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Anchor
          href={code.short_url}
          target="_blank"
          rel="noreferrer"
          ff="monospace"
          style={{ overflowWrap: 'anywhere' }}
        >
          {shownUrl(code.short_url)}
        </Anchor>
        <Copy value={code.short_url} what="short link" />
      </Group>
      <Text size="xs" c="dimmed">
        Created {formatDateTime(code.created_at)}, last changed {formatDateTime(code.updated_at)}
      </Text>
    </Stack>
  );
}
