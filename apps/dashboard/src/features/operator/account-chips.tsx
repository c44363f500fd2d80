import { Badge, Group } from '@mantine/core';
import type { OperatorAccountItem } from '@signpost/contract';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { chipsOf } from './words.ts';

export function AccountChips({ account }: { readonly account: OperatorAccountItem }) {
  return chipsOf(account).map(({ label, color }) => (
    <Badge key={label} color={color} variant="light" tt="none" fw={500} miw="fit-content">
      {label}
    </Badge>
  ));
}

/** An account by its name, which leads to its page, with what should be noticed about it. */
export function AccountName({ account }: { readonly account: OperatorAccountItem }) {
  return (
    <Group gap="xs">
      <LinkAnchor
        to="/operator/accounts/$id"
        params={{ id: account.id }}
        fw={500}
        size="sm"
        style={{ overflowWrap: 'anywhere' }}
      >
        {account.name}
      </LinkAnchor>
      <AccountChips account={account} />
    </Group>
  );
}
