import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { codesText } from '../../strings/codes.ts';
import { Copy } from '../../ui/copy.tsx';
import { formatDateTime, shownUrl } from '../../ui/format.ts';

const text = codesText.page;

/** The link that the image encodes. It never changes. */
export function CodeLinks({ code }: { readonly code: QrCode }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {text.shortLink}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Anchor
          href={code.short_url}
          target="_blank"
          rel="noreferrer"
          ff="monospace"
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {shownUrl(code.short_url)}
        </Anchor>
        <Copy value={code.short_url} what={text.theShortLink} />
      </Group>
      <Text size="xs" c="dimmed">
        {text.dates(formatDateTime(code.created_at), formatDateTime(code.updated_at))}
      </Text>
    </Stack>
  );
}
