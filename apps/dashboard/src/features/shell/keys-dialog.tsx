import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { shellText } from '../../strings/shell.ts';

const words = shellText.keys;

/** The list of keys. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
  const keys = [
    [isMac ? ['⌘', 'K'] : ['Ctrl', 'K'], words.palette],
    [['C'], words.newCode],
    [['/'], words.search],
    [['?'], words.list],
    [['Esc'], words.close],
  ] as const;
  return (
    <Modal opened onClose={onClose} title={words.title} size="sm">
      <Stack gap="sm">
        {keys.map(([pressed, what]) => (
          <Group key={what} justify="space-between" wrap="nowrap">
            <Text size="sm">{what}</Text>
            <Group gap={4} wrap="nowrap">
              {pressed.map(key => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
