import type { PublicWords } from './words.ts';

export const fr: PublicWords = {
  pages: {
    paused: {
      title: 'Ce code est en pause',
      text: 'Son propriétaire l’a mis en pause. Réessayez plus tard ou renseignez-vous là où vous l’avez trouvé.',
    },
    not_begun: {
      title: 'Ce code n’est pas encore actif',
      text: 'Son propriétaire a fixé le moment à partir duquel il fonctionne. Réessayez plus tard ou renseignez-vous là où vous l’avez trouvé.',
    },
    ended: {
      title: 'Ce code n’est plus valable',
      text: 'Ce vers quoi il menait est terminé. Renseignez-vous là où vous l’avez trouvé.',
    },
    stopped: {
      title: 'Ce code a été bloqué pour votre sécurité',
      text: 'Il menait peut-être à une page dangereuse. Si vous y avez saisi un mot de passe, changez-le maintenant. Si vous y avez saisi vos coordonnées bancaires, appelez votre banque.',
    },
    held: {
      title: 'Ce code n’est pas encore confirmé',
      text: 'Son propriétaire doit d’abord confirmer son adresse e-mail. Réessayez plus tard.',
    },
    unknown: {
      title: 'Ce code n’existe pas',
      text: 'Si vous avez saisi le lien à la main, vérifiez qu’il ne contient pas de faute de frappe.',
    },
    home: {
      title: 'Cette adresse sert à des codes QR',
      text: 'Scannez un code pour ouvrir sa destination. Il n’y a rien d’autre ici.',
    },
    not_connected: {
      title: 'Ce domaine n’est pas connecté',
      text: 'Les codes imprimés avec ce domaine ne fonctionnent pas pour le moment. Réessayez plus tard ou demandez là où vous avez trouvé le code.',
    },
    deleted: {
      title: 'Ce code n’est plus utilisé',
      text: 'Son propriétaire l’a supprimé définitivement.',
    },
    busy: {
      title: 'Un instant, s’il vous plaît',
      text: 'Trop de codes ont été ouverts depuis votre réseau. Patientez une minute, puis scannez à nouveau.',
    },
    unavailable: {
      title: 'Un instant, s’il vous plaît',
      text: 'Impossible d’ouvrir ce code pour le moment. Scannez-le à nouveau dans quelques secondes.',
    },
    not_allowed: {
      title: 'Ce lien peut seulement être ouvert',
      text: 'Les liens courts n’acceptent que les requêtes GET et HEAD. Pour changer une destination, utilisez l’API ou le tableau de bord.',
    },
  },
  reference: id => `Référence : ${id}`,
  preview: {
    oneHost: 'Ce code mène à',
    manyHosts: 'Ce code peut mener à',
    andMore: 'et d’autres',
    changedOn: day => `Dernière modification le ${day}.`,
    note: 'Ceci n’est qu’un aperçu : vous n’avez pas été redirigé et aucun scan n’a été compté. Ces sites ne sont pas les nôtres et peuvent vous rediriger à leur tour.',
    report: 'Signaler un lien dangereux',
  },
  report: {
    title: 'Signaler un lien',
    titleNotSent: 'Non envoyé : signaler un lien',
    lead: 'L’un de nos liens courts ou codes QR mène à un contenu dangereux ? Dites-le-nous, nous vérifierons.',
    notSent: {
      title: 'Votre signalement n’a pas été envoyé.',
      text: 'Veuillez remplir à nouveau le formulaire et corriger les champs indiqués. Nous ne conservons rien tant qu’un signalement n’est pas complet.',
    },
    link: 'Lien court',
    linkHint: begin => `Il commence par ${begin}`,
    linkMissing: 'Saisissez le lien court.',
    linkForeign: begin =>
      `Ce lien court n’est pas l’un des nôtres. Les nôtres commencent par ${begin} – saisissez le lien contenu dans le code QR, pas la page à laquelle il mène.`,
    linkUnknown: 'Ce code n’existe pas. Vérifiez que le lien ne contient pas de faute de frappe.',
    question: 'Quel est le problème ?',
    kindMissing: 'Choisissez une de ces options.',
    kinds: {
      phishing: {
        title: 'Hameçonnage',
        text: 'La page se fait passer pour quelqu’un d’autre afin d’obtenir des mots de passe ou des données de paiement.',
      },
      malware: {
        title: 'Logiciel malveillant',
        text: 'La page fait télécharger ou installer quelque chose de dangereux.',
      },
      scam: {
        title: 'Arnaque',
        text: 'La page soutire de l’argent par de fausses promesses, par exemple une fausse boutique ou un faux gain.',
      },
      illegal: { title: 'Contenu illégal', text: 'Le lien mène à un contenu contraire à la loi.' },
      other: { title: 'Autre chose', text: 'Décrivez le problème ci-dessous.' },
    },
    details: 'Précisions',
    detailsHint: max =>
      `Facultatif, sauf si vous avez choisi « Autre chose ». ${max} caractères au maximum. N’indiquez ni mot de passe ni données personnelles.`,
    detailsMissing: 'Décrivez le problème.',
    detailsLong: max => `Ne dépassez pas ${max} caractères.`,
    send: 'Envoyer le signalement',
    privacy: days =>
      `Nous conservons ce que vous saisissez ici, ainsi que la date, pendant ${days} jours. Nous ne conservons ni votre adresse IP ni aucune information sur votre navigateur.`,
    thanks: {
      title: 'Merci pour votre signalement',
      text: 'Nous allons vérifier où mène le lien. S’il est dangereux, nous le bloquerons.',
      advice:
        'Nous ne pouvons pas vous répondre, car nous ne savons pas qui vous êtes. Si vous y avez saisi un mot de passe ou un numéro de carte, changez le mot de passe ou appelez votre banque maintenant.',
      another: 'Signaler un autre lien',
    },
    limited: {
      title: 'Trop de signalements pour le moment',
      text: 'Nous avons reçu beaucoup de signalements depuis votre réseau ; celui-ci n’a pas été accepté. Réessayez plus tard.',
    },
    full: {
      title: 'Trop de signalements aujourd’hui',
      text: 'Nous avons reçu aujourd’hui plus de signalements que nous ne pouvons en traiter ; celui-ci n’a pas été accepté. Réessayez demain.',
    },
    large: {
      title: 'Ce signalement est trop long',
      text: 'Il n’a pas été accepté. Veuillez le raccourcir.',
    },
    unreadable: { title: 'Ce signalement est illisible', text: 'Veuillez utiliser le formulaire.' },
    unavailable: {
      title: 'Un instant, s’il vous plaît',
      text: 'Nous ne pouvons pas recevoir votre signalement pour le moment. Réessayez dans une minute.',
    },
    notAllowed: {
      title: 'Impossible ici',
      text: 'Cette page n’accepte que les requêtes GET et POST.',
    },
    back: 'Retour au formulaire',
    writeTo: address => `Vous pouvez aussi écrire à ${address}.`,
    visit: address => `Vous pouvez aussi le signaler ici : ${address}.`,
  },
};
