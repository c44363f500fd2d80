import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { optionsQuery } from './options.ts';

/** Shows whoever has just installed the server the way in. */
export function NoOperator() {
  const options = useQuery(optionsQuery);
  if (!options.data?.first_user) return null;
  return (
    <Alert title="This server has no operator yet" role="status">
      Is it yours?{' '}
      <LinkAnchor to="/first-operator" underline="always" inherit>
        Set it up with its token
      </LinkAnchor>
      .
    </Alert>
  );
}
