import type { ServerMessages } from '../server-messages.ts';

export const serverMessages: ServerMessages = {
  invalid_url: 'L’adresse doit être une adresse http ou https complète.',
  invalid_short_code: 'La fin de lien contient des caractères non autorisés ou a une longueur non autorisée.',
  reserved_short_code: 'Cette fin de lien est réservée. Choisissez-en une autre.',
  unscannable_style:
    'Un code dans ce design ne se scanne pas. Choisissez des couleurs plus contrastées, un logo plus petit ou un lien plus court.',
  plan_required: 'Votre forfait ne comprend pas cela.',
  quota_exceeded: 'La limite est atteinte.',
  destination_blocked:
    'Cette destination est bloquée. Choisissez-en une autre, ou demandez à l’opérateur de ce serveur.',
  short_code_taken: 'Cette fin de lien est déjà prise. Choisissez-en une autre.',
  external_id_taken: 'Un autre code a cet identifiant externe.',
  placement_taken: 'Le code a déjà un emplacement avec cette fin de lien.',
  count_changed: 'Un autre nombre de codes correspond entre-temps. Rien n’a été modifié. Réessayez.',
  last_owner: 'Un compte a besoin d’un propriétaire. Nommez d’abord une autre personne, ou fermez le compte.',
  asset_in_use: 'Un code ou un design utilise ce logo. Supprimez-les d’abord.',
  precondition_failed:
    'Quelqu’un d’autre l’a modifié entre-temps. Rien n’a été enregistré. Rechargez la page.',
  gone: 'Ce code a été supprimé.',
  payload_too_large: 'C’est trop grand pour être envoyé.',
  rate_limit_exceeded: 'Trop de tentatives en peu de temps.',
  internal_error: 'Une erreur s’est produite sur le serveur.',
  unavailable: 'Le serveur ne peut pas le faire pour l’instant. Réessayez dans un instant.',
  timeout: 'Cela a pris trop de temps. Choisissez une période plus courte ou moins de résultats.',
  no_account: 'Vous n’appartenez à aucun compte. Ouvrez le lien d’une invitation, ou demandez-en une.',
  not_found: 'Cela n’existe plus, ou appartient à l’autre mode ou à un autre compte.',
  'Wrong e-mail or password.': 'E-mail ou mot de passe incorrect.',
  'You are not signed in.': 'Vous n’êtes pas connecté.',
  'You are not signed in, or your session has ended. Sign in again.':
    'Vous n’êtes pas connecté, ou votre session est terminée. Reconnectez-vous.',
  'This account has been closed.': 'Ce compte a été fermé.',
  'The current password is wrong.': 'Le mot de passe actuel est incorrect.',
  'This is your current password. Choose a different one.':
    'C’est votre mot de passe actuel. Choisissez-en un autre.',
  'This password is easy to guess: it is common, a simple pattern, or made of your e-mail address or name. Choose another one, such as four random words.':
    'Ce mot de passe est facile à deviner : il est courant, suit un motif simple, ou vient de votre e-mail ou de votre nom. Choisissez-en un autre, comme quatre mots au hasard.',
  'An account with this e-mail address already exists. Sign in, or get a new password.':
    'Un compte avec cette adresse e-mail existe déjà. Connectez-vous, ou définissez un nouveau mot de passe.',
  'This link was already used, has expired, or stopped working when the password changed. Get a new one.':
    'Ce lien a déjà été utilisé, a expiré, ou ne vaut plus depuis un changement de mot de passe. Demandez-en un autre.',
  'This is already your e-mail address.': 'C’est déjà votre adresse e-mail.',
  'This is not your e-mail address.': 'Ce n’est pas votre adresse e-mail.',
  'This invitation was already used, revoked or replaced, or has expired. Ask for a new one.':
    'Cette invitation a déjà été utilisée, révoquée ou remplacée, ou a expiré. Demandez-en une nouvelle.',
  'A person with this e-mail address already belongs to the account.':
    'Une personne avec cette adresse e-mail appartient déjà au compte.',
  'Sign-up is closed. Ask the operator of this server for an account.':
    'Les inscriptions sont fermées. Demandez un compte à l’opérateur de ce serveur.',
  'This is not the token of this server. The token is in the file first-operator-token; the log says where.':
    'Ce n’est pas le jeton de ce serveur. Il est dans le fichier first-operator-token ; le journal indique où.',
  'expires_at must be later than starts_at.': 'La fin doit venir après le début.',
  'There is no appeal to answer, or the suspension was already released.':
    'Il n’y a pas de recours à traiter, ou la suspension a déjà été levée.',
};
