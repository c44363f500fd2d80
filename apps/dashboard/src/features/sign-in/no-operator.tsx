import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { signInText } from '../../strings/sign-in.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { optionsQuery } from './options.ts';

const words = signInText.noOperator;

/** Shows the way in to the person who has just installed the server. */
export function NoOperator() {
  const options = useQuery(optionsQuery);
  if (!options.data?.first_user) return null;
  return (
    <Alert title={words.title} role="status">
      <Sentence
        text={words.question}
        parts={{
          link: (
            <LinkAnchor to="/first-operator" underline="always" inherit>
              {words.setUp}
            </LinkAnchor>
          ),
        }}
      />
    </Alert>
  );
}
