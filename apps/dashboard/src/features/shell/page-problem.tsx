import { Container, Group, Stack, Text } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { commonText } from '../../strings/common.ts';
import { MissingPage } from '../../ui/lazy-page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Mark } from './brand.tsx';

/** In place of a page that could not be shown. The button loads it again, with all that it needs. */
export function PageProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const [isLoading, setIsLoading] = useState(false);

  async function load(): Promise<void> {
    setIsLoading(true);
    try {
      // A script that is missing again although the server answers was replaced by a newer dashboard.
      if (error instanceof MissingPage && error.attempts > 1 && (await serverAnswers())) {
        window.location.reload();
        return;
      }
      queries.reset();
      await router.invalidate({ sync: true });
      reset();
    } finally {
      setIsLoading(false);
    }
  }

  return (
    <Problem
      error={error}
      title={commonText.problem.notLoaded}
      onRetry={() => void load()}
      isRetrying={isLoading}
    />
  );
}

/** The same where not even the frame could be shown. */
export function WholePageProblem(props: ErrorComponentProps) {
  return (
    <Container component="main" size="xs" py={{ base: 'xl', sm: 80 }}>
      <Stack>
        <Group gap={10}>
          <Mark />
          <Text fw={600} size="lg">
            {commonText.product}
          </Text>
        </Group>
        <PageProblem {...props} />
      </Stack>
    </Container>
  );
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
