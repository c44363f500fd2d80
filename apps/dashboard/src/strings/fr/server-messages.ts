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
  'Only an owner may make, change or remove an owner. Ask one of them.':
    'Seul un propriétaire peut nommer, modifier ou retirer un propriétaire. Adressez-vous à l’un d’eux.',
  'Only an owner may invite an owner, or change such an invitation. Ask one.':
    'Seul un propriétaire peut inviter un propriétaire ou modifier une telle invitation. Adressez-vous à l’un d’eux.',
  'This account is suspended and can invite nobody.': 'Ce compte est suspendu et ne peut inviter personne.',
  'Confirm your e-mail address before you invite people: the invitation names it. Settings can send the link again.':
    'Confirmez votre adresse e-mail avant d’inviter quelqu’un : elle figure dans l’invitation. Les paramètres permettent de renvoyer le lien.',
  'An account can send {account} invitations within 24 hours, and an address can get {address}. Try again later.':
    'Un compte peut envoyer {account} invitations en 24 heures, dont {address} à une même adresse. Réessayez plus tard.',
  'The plan includes {limit} people, and the account has {used}, pending invitations included. Remove somebody, revoke an invitation, or change the plan.':
    'Le forfait comprend {limit} personnes et le compte en a {used}, invitations en attente comprises. Retirez une personne, révoquez une invitation ou changez de forfait.',
  '{used} invitations are pending, and an account can have {limit}. Revoke one first.':
    '{used} invitations sont en attente et un compte peut en avoir {limit}. Révoquez-en une d’abord.',
  'The person who invited you may no longer do so. Ask somebody else in the account for a new invitation.':
    'La personne qui vous a invité n’en a plus le droit. Demandez une nouvelle invitation à quelqu’un d’autre du compte.',
  'This invitation is for {email}. Sign in or sign up with that e-mail address, or ask for an invitation to yours.':
    'Cette invitation est destinée à {email}. Connectez-vous ou inscrivez-vous avec cette adresse, ou demandez une invitation à la vôtre.',
  'Confirm your e-mail address first, then open the link of the invitation again. Settings can send the link that confirms it.':
    'Confirmez d’abord votre adresse e-mail, puis rouvrez le lien de l’invitation. Les paramètres permettent d’envoyer le lien de confirmation.',
  'You already have a sign-in with this e-mail address. Sign in, then open the link of the invitation again.':
    'Vous êtes déjà inscrit avec cette adresse e-mail. Connectez-vous, puis rouvrez le lien de l’invitation.',
  'Nobody can join this account at the moment. Ask the person who invited you.':
    'Personne ne peut rejoindre ce compte pour le moment. Adressez-vous à la personne qui vous a invité.',
  'The account has as many people as its plan includes. Ask the person who invited you.':
    'Le compte a déjà autant de personnes que son forfait en comprend. Adressez-vous à la personne qui vous a invité.',
  'This server sends no mail, so a new e-mail address cannot be confirmed. Ask the operator to set up mail.':
    'Ce serveur n’envoie pas d’e-mails : une nouvelle adresse ne peut donc pas être confirmée. Demandez à l’opérateur de configurer l’envoi.',
  'Another account on this server already uses this e-mail address. Your address was not changed.':
    'Un autre compte de ce serveur utilise déjà cette adresse e-mail. La vôtre n’a pas été modifiée.',
  'This link is for a different account than the one you are signed in to. Sign in to the account that you created with this e-mail address, then open the link again. If you did not create one, ignore the e-mail.':
    'Ce lien concerne un autre compte que celui auquel vous êtes connecté. Connectez-vous au compte créé avec cette adresse e-mail, puis rouvrez le lien. Si vous n’en avez pas créé, ignorez l’e-mail.',
  'Your session has ended. Sign in again.': 'Votre session a expiré. Reconnectez-vous.',
  'An account of yours is suspended. Until it is released, you cannot create another one.':
    'L’un de vos comptes est suspendu. Tant qu’il n’est pas rétabli, vous ne pouvez pas en créer d’autre.',
  'You own {used} accounts, and a person can own {limit}. Close one, or hand one over.':
    'Vous possédez {used} comptes et une personne peut en posséder {limit}. Fermez-en un ou cédez-en un.',
  'This service already has an operator. Ask them for an account.':
    'Ce service a déjà un opérateur. Demandez-lui un compte.',
  'This is not an e-mail address.': 'Ce n’est pas une adresse e-mail.',
  "A draft can't be paused. Publish it first.":
    'Un brouillon ne peut pas être mis en pause. Publiez-le d’abord.',
  'This webhook is turned off. Turn it on first.': 'Ce webhook est désactivé. Activez-le d’abord.',
  'This webhook no longer subscribes to {event}. Add it to its events first.':
    'Ce webhook n’est plus abonné à {event}. Ajoutez d’abord cet événement.',
  'expires_at must be a time in the future. Leave it out for a link without an end.':
    'La fin doit être dans le futur. Laissez-la vide pour un lien sans fin.',
  'expires_at must be in the future. To end the key now, revoke it.':
    'La fin doit être dans le futur. Pour mettre fin à la clé maintenant, révoquez-la.',
  'allowed_cidrs[{index}] must be an address such as 203.0.113.7 or a network such as 203.0.113.0/24 or 2001:db8::/32.':
    'Saisissez une adresse comme 203.0.113.7 ou un réseau comme 203.0.113.0/24 ou 2001:db8::/32.',
  'Confirm your e-mail address first: until then figures of this account cannot be shared.':
    'Confirmez d’abord votre adresse e-mail : jusque-là, les chiffres de ce compte ne peuvent pas être partagés.',
  'An account has at most {maxKeys} keys at a time. Revoke one that is not used.':
    'Un compte a au plus {maxKeys} clés à la fois. Révoquez-en une qui ne sert pas.',
  'Confirm your e-mail address first: open the link in the e-mail we sent when you signed up, or get a new one in your account settings. Until then you can create test keys.':
    'Confirmez d’abord votre adresse e-mail : ouvrez le lien de l’e-mail envoyé à votre inscription, ou demandez-en un nouveau dans les paramètres du compte. D’ici là, vous pouvez créer des clés de test.',
  'current_password is required, since the key may do more than before. Send the password of the user.':
    'La clé pourra faire plus qu’avant : votre mot de passe est donc requis.',
  'The account is closed. Its links no longer work.': 'Le compte est fermé. Ses liens ne fonctionnent plus.',
  'There is no letter for "{missing}" in the font of frames.':
    'La police des cadres n’a pas de caractère pour « {missing} ».',
  'The filter matches {total} codes. At most {maxSheetCodes} fit into one file; narrow it or send qr_ids.':
    'La sélection compte {total} codes. Un fichier en contient au plus {maxSheetCodes} : affinez la recherche.',
  'The tag has more than {maxCodes} codes. Choose a tag with fewer, or ask for all codes.':
    'Le tag compte plus de {maxCodes} codes. Choisissez-en un qui en a moins, ou tous les codes.',
  'The picture is larger than 512 KiB.': 'L’image dépasse 512 Kio.',
  'Only codes whose dots and corners are nearly black can be printed in black ink alone. Ask for rgb.':
    'Seuls les codes dont les points et les coins sont presque noirs peuvent être imprimés à l’encre noire seule. Choisissez RVB.',
  'created_to is before created_from. Exchange the two.': 'La fin précède le début. Échangez les deux.',
  'This needs the permission {permission}, which you have no longer. Ask an owner of the account.':
    'Il faut pour cela l’autorisation {permission}, que vous n’avez plus. Adressez-vous à un propriétaire du compte.',
  'This e-mail address is not confirmed: somebody else may have signed up with it.':
    'Cette adresse e-mail n’est pas confirmée : quelqu’un d’autre a pu s’inscrire avec.',
  'problem:required': 'Ce champ est obligatoire.',
  'problem:unknown_field': 'Le champ {name} n’existe pas.',
  'problem:fixed_field': 'Le champ {name} ne peut pas être défini ici.',
  'problem:type': 'Cette valeur n’est pas du bon type.',
  'problem:choice': 'Seule valeur possible : {allowed}.',
  'problem:range': 'Saisissez un nombre de {min} à {max}.',
  'problem:range_from': 'Saisissez un nombre à partir de {min}.',
  'problem:entries': 'Il faut de {min} à {max} éléments.',
  'problem:entries_up_to': 'Il faut au plus {max} éléments.',
  'problem:entries_from': 'Il faut au moins {min} éléments.',
  'problem:no_fields': 'Renseignez au moins un champ.',
  'problem:keys_up_to': 'Il faut au plus {max} champs.',
  'problem:text_length': 'Saisissez de {min} à {max} caractères visibles.',
  'problem:text_up_to': '{max} caractères au plus.',
  'problem:line_length': 'Saisissez de {min} à {max} caractères sur une ligne.',
  'problem:line_up_to': '{max} caractères au plus, sur une ligne.',
  'problem:name': 'Saisissez de 1 à {max} caractères sur une ligne, sans caractère invisible ni lien.',
  'problem:characters': 'De {min} à {max} caractères : lettres, chiffres et {others}.',
  'problem:url': 'Saisissez une adresse http ou https complète, sans espace, de {max} caractères au plus.',
  'problem:url_without_scheme': 'L’adresse n’est pas complète. Vouliez-vous dire {url} ?',
  'problem:host': 'Saisissez un hôte comme {example}.',
  'problem:email': 'Saisissez une adresse e-mail comme ada@example.com.',
  'problem:short_code':
    'La fin du lien doit avoir de {min} à {max} lettres, chiffres, - ou _, et commencer et finir par une lettre ou un chiffre.',
  'problem:color': 'Saisissez une couleur comme {example}.',
  'problem:id': 'Ce n’est pas un identifiant comme {example}.',
  'problem:country': 'Choisissez un pays.',
  'problem:language': 'Choisissez une langue.',
  'problem:time_zone': 'Choisissez un fuseau horaire comme Europe/Paris.',
  'problem:time_of_day': 'Saisissez une heure de {from} à {to}.',
  'problem:day': 'Saisissez un jour.',
  'problem:day_missing': 'Ce jour n’existe pas dans le calendrier.',
  'problem:month_missing': 'Ce mois n’existe pas.',
  'problem:year_range': 'Choisissez un jour des années 1970 à 2099.',
  'problem:moment': 'Saisissez une date et une heure.',
  'problem:day_or_moment': 'Saisissez un jour ou un moment précis.',
  'problem:metadata_filter': 'Saisissez un champ, deux-points et le texte, par exemple branch:berlin.',
  'problem:list': 'Valeurs possibles, une fois chacune : {allowed}.',
  'problem:picture': 'L’image ne doit pas dépasser {max} Kio.',
  'problem:base64_alone': 'L’image a été envoyée sous une mauvaise forme.',
  'problem:query': 'Les filtres dépassent {max} caractères au total.',
};
