import type { MailTexts } from './en.ts';

export const fr: MailTexts = {
  somebody: 'Quelqu’un',
  operator: 'L’opérateur de ce service',
  modes: { live: 'réelle', test: 'de test' },
  reset: {
    subject: 'Définissez un nouveau mot de passe',
    text: `Définissez un nouveau mot de passe pour votre compte Signpost. Ce lien fonctionne une fois, pendant une heure\u00a0:

{link}

Si vous n’avez rien demandé, ignorez cet e-mail. Votre mot de passe reste le même.
`,
  },
  verify: {
    subject: 'Confirmez votre adresse e-mail',
    text: `Confirmez votre adresse e-mail pour terminer la configuration de votre compte Signpost. Ce lien est valable 24 heures\u00a0:

{link}

Si vous n’avez pas créé ce compte, ignorez cet e-mail et n’ouvrez pas le lien. L’adresse reste non confirmée.
`,
  },
  'new-key': {
    subject: 'Nouvelle clé API ({mode}) dans votre compte',
    text: `Une nouvelle clé API ({mode}) a été créée dans votre compte Signpost le {time}. Vos clés\u00a0:

{url}/app/settings/keys

Si ce n’était pas vous, révoquez-y la clé, puis définissez un nouveau mot de passe\u00a0:

{url}/app/forgot-password
`,
  },
  'new-password': {
    subject: 'Votre mot de passe a été changé',
    text: `Le mot de passe de votre compte Signpost a été changé le {time}. Tous les autres appareils ont été déconnectés.

Si ce n’était pas vous, définissez maintenant un nouveau mot de passe\u00a0:

{url}/app/forgot-password
`,
  },
  destinations: {
    subject: '{codes} de vos codes mènent maintenant ailleurs',
    text: `Les destinations de {codes} codes de votre compte Signpost ont été changées en quelques minutes, la dernière le {time}. La page de chaque code montre qui l’a changée, et ce qu’elle était avant\u00a0:

{url}/app/codes

Si ce n’était pas vous, révoquez les clés API que vous ne connaissez pas, puis définissez un nouveau mot de passe\u00a0:

{url}/app/forgot-password
`,
  },
  deletions: {
    subject: '{codes} de vos codes ont été supprimés',
    text: `{codes} codes de votre compte Signpost ont été supprimés en quelques minutes, le dernier le {time}. Les exemplaires imprimés ne fonctionnent plus. Si c’est une erreur, créez de nouveaux codes avec les mêmes fins de lien\u00a0: seul votre compte peut les réutiliser. Leurs anciens scans restent supprimés.

{url}/app/codes

Si ce n’était pas vous, révoquez les clés API que vous ne connaissez pas, puis définissez un nouveau mot de passe\u00a0:

{url}/app/forgot-password
`,
  },
  'new-browser': {
    subject: 'Nouvelle connexion à votre compte',
    text: `Une connexion à votre compte Signpost a eu lieu depuis un nouveau navigateur\u00a0: {device}, le {time}. Voyez où vous êtes connecté\u00a0:

{url}/app/settings/account

Si ce n’était pas vous, définissez un nouveau mot de passe, ce qui déconnecte tous les appareils\u00a0:

{url}/app/forgot-password
`,
  },
  'suspended-account': {
    subject: 'Votre compte a été suspendu pour raison de sécurité',
    text: `Votre compte Signpost a été suspendu pour raison de sécurité le {time}. Ses liens courts ne redirigent plus personne, et rien n’a été supprimé.

Connectez-vous pour voir pourquoi. Si c’est une erreur, vous pouvez faire un recours\u00a0:

{url}/app
`,
  },
  'suspended-code': {
    subject: 'Votre code a été suspendu pour raison de sécurité',
    text: `Votre code {link} a été suspendu pour raison de sécurité le {time}. Son lien court ne redirige plus personne, et rien n’a été supprimé.

Connectez-vous pour voir pourquoi. Si c’est une erreur, vous pouvez faire un recours\u00a0:

{url}/app
`,
  },
  'released-account': {
    subject: 'Votre compte n’est plus suspendu',
    text: `La suspension de votre compte Signpost a été levée le {time}. Connectez-vous pour le voir\u00a0:

{url}/app
`,
  },
  'released-code': {
    subject: 'Votre code n’est plus suspendu',
    text: `La suspension de votre code {link} a été levée le {time}. Connectez-vous pour le voir\u00a0:

{url}/app
`,
  },
  'change-email': {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    text: `Vous avez demandé à utiliser cette adresse e-mail pour votre compte Signpost. Ouvrez ce lien dans les 24 heures pour la confirmer, dans un navigateur où vous êtes connecté\u00a0:

{link}

Si vous n’avez rien demandé, ignorez cet e-mail. Rien ne change.
`,
  },
  'email-changing': {
    subject: 'Votre adresse e-mail Signpost va changer',
    text: `Une personne qui connaît votre mot de passe a demandé à changer l’adresse e-mail de votre compte Signpost le {time}. Cette adresse reste utilisée jusqu’à ce que la nouvelle soit confirmée. Vous pouvez annuler le changement ici\u00a0:

{url}/app/settings/account

Si ce n’était pas vous, définissez maintenant un nouveau mot de passe, ce qui annule aussi le changement\u00a0:

{url}/app/forgot-password
`,
  },
  'email-changed': {
    subject: 'Votre adresse e-mail Signpost a été changée',
    text: `L’adresse e-mail de votre compte Signpost a été changée le {time}. Cette adresse ne permet plus de se connecter ni de réinitialiser le mot de passe. Toutes les autres sessions ont été fermées.

Si ce n’était pas vous, contactez tout de suite l’opérateur du serveur.
`,
  },
  'domain-target': {
    subject: '{host} ne mène plus à l’une de ses pages',
    text: `Une page à laquelle {host} menait, en plus de ses QR codes, a été trouvée le {time} sur un hôte bloqué ou dans une liste de blocage. Elle a été retirée : une page du service s’affiche à la place. Les codes imprimés avec {host} ne sont pas concernés.

Si c’est une erreur, adressez-vous à l’opérateur du service :

{url}/app
`,
  },
  closed: {
    subject: 'Votre compte Signpost a été fermé',
    text: `Un compte Signpost auquel vous apparteniez a été fermé le {time} par un propriétaire qui connaît son mot de passe. Ses codes ne fonctionnent plus, et ses données sont en cours de suppression. C’est irréversible.

Si c’était votre seul compte, votre accès est supprimé aussi\u00a0: avec le compte si vous l’avez créé, et après 30 jours si vous avez été invité.

Si cela vous surprend, demandez aux propriétaires du compte, ou à l’opérateur du serveur.
`,
  },
  removed: {
    subject: 'Vous avez été retiré d’un compte Signpost',
    text: `Vous avez été retiré d’un compte Signpost le {time}, par un de ses propriétaires ou administrateurs. Vous ne voyez plus ses codes ni ses scans. Vos autres comptes restent comme ils sont\u00a0:

{url}/app

Si c’était votre seul compte, votre accès est supprimé après 30 jours.
`,
  },
  invitation: {
    subject: 'Vous êtes invité dans un compte Signpost',
    text: `{inviter} vous invite à travailler ensemble sur des codes QR dans un compte Signpost. Ce lien fonctionne une fois, pendant 7 jours, et pour cette adresse e-mail seulement\u00a0:

{link}

Si vous ne savez pas qui c’est, ignorez cet e-mail. Rien ne se passe tant que vous n’ouvrez pas le lien pour accepter.
`,
  },
};
