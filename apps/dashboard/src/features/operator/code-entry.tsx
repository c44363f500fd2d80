import { Button, Group, Stack, Text } from '@mantine/core';
import type { OperatorCode } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { shownUrl } from '../../ui/format.ts';
import { AccountName } from './account-chips.tsx';
import { CodeSummary } from './code-summary.tsx';
import { Entry } from './entries.tsx';
import { openSuspend } from './suspend.tsx';

const text = operatorText.code;

type Props = { readonly code: OperatorCode; readonly withAccount?: boolean };

/** A code in a list, with what can be done about it. */
export function CodeEntry({ code, withAccount = false }: Props) {
  const { account } = code;
  const link = shownUrl(code.short_url);
  return (
    <Entry
      actions={
        <>
          {!code.suspended && code.status !== 'deleted' && (
            <Button
              size="xs"
              {...(withAccount ? { color: 'red.8' } : { variant: 'default' })}
              onClick={() => openSuspend({ what: 'code', id: code.id, name: link })}
              aria-label={text.suspendOf(link)}
            >
              {text.suspend}
            </Button>
          )}
          {withAccount && !account.suspended && !account.closed_at && (
            <Button
              size="xs"
              variant="outline"
              color="red"
              c="var(--mantine-color-text)"
              onClick={() => openSuspend({ what: 'account', id: account.id, name: account.name })}
              aria-label={text.suspendAccountOf(account.name)}
            >
              {text.suspendAccount}
            </Button>
          )}
        </>
      }
    >
      <Stack gap="xs">
        <CodeSummary code={code} />
        {withAccount && (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {text.account}
            </Text>
            <AccountName account={account} />
          </Group>
        )}
      </Stack>
    </Entry>
  );
}
