import { Button, Collapse, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCode } from '@tabler/icons-react';
import { codesText } from '../../strings/codes.ts';
import { Snippet } from '../../ui/snippet.tsx';

/** The same by API, for those who want it. */
export function UseApi({ command }: { readonly command: string }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconCode size={16} aria-hidden />}
        onClick={toggle}
        aria-expanded={isOpen}
      >
        {codesText.useApi}
      </Button>
      <Collapse expanded={isOpen} w="100%">
        {isOpen && <Snippet text={command} what={codesText.curlCommand} />}
      </Collapse>
    </Stack>
  );
}
