import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { Copy } from './copy.tsx';
import { Snippet } from './snippet.tsx';

type Props = { readonly value: string; readonly what: string; readonly onDone: () => void };

/** Something that is shown this once. */
export function Secret({ value, what, onDone }: Props) {
  return (
    <Stack>
      <Alert icon={<IconEyeOff aria-hidden />} color="orange" title="Copy it now">
        It is shown this once. Only a trace is kept, from which nobody can read it again.
      </Alert>
      <Snippet text={value} what={what} />
      <Group justify="flex-end">
        <Copy value={value} what={what} withLabel />
        <Button onClick={onDone}>I have kept it</Button>
      </Group>
    </Stack>
  );
}
