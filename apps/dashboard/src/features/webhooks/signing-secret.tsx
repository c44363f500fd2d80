import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { webhooksText } from '../../strings/webhooks.ts';
import { Secret } from '../../ui/secret.tsx';

const words = webhooksText.secret;

/** A signing secret, shown once, with what it is for. */
export function SigningSecret({ value }: { readonly value: string }) {
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words.use}
      </Text>
      <Secret value={value} what={words.what} onDone={() => modals.closeAll()} />
    </Stack>
  );
}
