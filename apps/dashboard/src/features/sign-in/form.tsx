import { Button, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { FormEventHandler, ReactNode } from 'react';
import { signInText } from '../../strings/sign-in.ts';
import { Problem } from '../../ui/problem.tsx';

type Props = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly action: string;
  readonly busy: boolean;
  readonly error: unknown;
  /** What could not be done, as a heading over the reason. */
  readonly failure: string;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
  readonly footer: ReactNode;
};

/** The one shape of the forms outside: heading, fields, what went wrong, one button, the way elsewhere. */
export function OutsideForm(props: Props) {
  const { title, description, action, busy, error, failure, onSubmit, children, footer } = props;
  useDocumentTitle(signInText.pageTitle(title));
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <div>
          <Title order={1} fz={22}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={6}>
              {description}
            </Text>
          )}
        </div>
        {error ? <Problem error={error} title={failure} /> : null}
        {children}
        <Button type="submit" loading={busy} fullWidth mt="xs">
          {action}
        </Button>
        <Text size="sm" ta="center">
          {footer}
        </Text>
      </Stack>
    </form>
  );
}
