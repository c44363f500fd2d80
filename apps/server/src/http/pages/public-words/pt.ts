import type { PublicWords } from './words.ts';

export const pt: PublicWords = {
  pages: {
    paused: {
      title: 'Este código está em pausa',
      text: 'O proprietário o pausou por enquanto. Tente novamente mais tarde ou pergunte no local onde você o encontrou.',
    },
    not_begun: {
      title: 'Este código ainda não está ativo',
      text: 'O proprietário definiu a partir de quando ele funciona. Tente novamente mais tarde ou pergunte no local onde você o encontrou.',
    },
    ended: {
      title: 'Este código não é mais válido',
      text: 'Aquilo a que ele levava terminou. Pergunte no local onde você o encontrou.',
    },
    stopped: {
      title: 'Este código foi bloqueado para sua segurança',
      text: 'Ele pode ter levado a uma página nociva. Se você digitou uma senha nela, troque-a agora. Se digitou dados de um cartão, ligue para o seu banco.',
    },
    held: {
      title: 'Este código ainda não foi confirmado',
      text: 'O proprietário ainda precisa confirmar o endereço de e-mail. Tente novamente mais tarde.',
    },
    unknown: {
      title: 'Este código não existe',
      text: 'Se você digitou o link, verifique se não há erros.',
    },
    home: {
      title: 'Este endereço é para códigos QR',
      text: 'Escaneie um código para abrir o destino dele. Não há mais nada aqui.',
    },
    not_connected: {
      title: 'Este domínio não está conectado',
      text: 'Os códigos impressos com ele não funcionam no momento. Tente novamente mais tarde ou pergunte onde você encontrou o código.',
    },
    deleted: {
      title: 'Este código não está mais em uso',
      text: 'O proprietário o removeu definitivamente.',
    },
    busy: {
      title: 'Um momento, por favor',
      text: 'Muitos códigos foram abertos a partir da sua rede. Aguarde um minuto e escaneie novamente.',
    },
    unavailable: {
      title: 'Um momento, por favor',
      text: 'Não conseguimos abrir este código agora. Escaneie-o novamente em alguns segundos.',
    },
    not_allowed: {
      title: 'Este link só pode ser aberto',
      text: 'Links curtos aceitam apenas solicitações GET e HEAD. Para mudar um destino, use a API ou o painel.',
    },
  },
  reference: id => `Referência: ${id}`,
  preview: {
    oneHost: 'Este código leva a',
    manyHosts: 'Este código pode levar a',
    andMore: 'e outros',
    changedOn: day => `Última alteração em ${day}.`,
    note: 'Esta é apenas uma prévia: você não foi redirecionado e nenhuma leitura foi contada. Estes sites não são nossos e podem redirecionar você novamente.',
    report: 'Denunciar um link nocivo',
  },
  report: {
    title: 'Denunciar um link',
    titleNotSent: 'Não enviada: denunciar um link',
    lead: 'Um de nossos links curtos ou códigos QR leva a algo nocivo? Conte para nós e vamos verificar.',
    notSent: {
      title: 'Sua denúncia não foi enviada.',
      text: 'Preencha o formulário novamente e corrija os campos marcados. Não guardamos nada até que a denúncia esteja completa.',
    },
    link: 'Link curto',
    linkHint: begin => `Começa com ${begin}`,
    linkMissing: 'Digite o link curto.',
    linkForeign: begin =>
      `Este não é um de nossos links curtos. Os nossos começam com ${begin} – digite o link do código QR, não a página à qual ele leva.`,
    linkUnknown: 'Este código não existe. Verifique se não há erros no link.',
    question: 'Qual é o problema?',
    kindMissing: 'Escolha uma destas opções.',
    kinds: {
      phishing: {
        title: 'Phishing',
        text: 'A página se passa por outra para obter senhas ou dados de pagamento.',
      },
      malware: {
        title: 'Software malicioso',
        text: 'A página faz as pessoas baixarem ou instalarem algo nocivo.',
      },
      scam: {
        title: 'Golpe',
        text: 'A página tira dinheiro com promessas falsas, como uma loja ou um prêmio falso.',
      },
      illegal: { title: 'Conteúdo ilegal', text: 'O link leva a conteúdo contrário à lei.' },
      other: { title: 'Outra coisa', text: 'Conte abaixo qual é o problema.' },
    },
    details: 'Detalhes',
    detailsHint: max =>
      `Opcional, a menos que você tenha escolhido “Outra coisa”. Até ${max} caracteres. Não inclua senhas nem dados pessoais.`,
    detailsMissing: 'Conte qual é o problema.',
    detailsLong: max => `Use no máximo ${max} caracteres.`,
    send: 'Enviar denúncia',
    privacy: days =>
      `Guardamos o que você escrever aqui, e quando, por ${days} dias. Não guardamos seu endereço IP nem informações sobre seu navegador.`,
    thanks: {
      title: 'Obrigado pela sua denúncia',
      text: 'Vamos verificar para onde o link leva. Se for nocivo, vamos bloqueá-lo.',
      advice:
        'Não podemos responder porque não sabemos quem você é. Se você digitou uma senha ou um número de cartão, troque a senha ou ligue para o seu banco agora.',
      another: 'Denunciar outro link',
    },
    limited: {
      title: 'Muitas denúncias no momento',
      text: 'Recebemos muitas denúncias da sua rede, por isso esta não foi aceita. Tente novamente mais tarde.',
    },
    full: {
      title: 'Muitas denúncias hoje',
      text: 'Hoje recebemos mais denúncias do que podemos atender, por isso esta não foi aceita. Tente novamente amanhã.',
    },
    large: {
      title: 'Esta denúncia é longa demais',
      text: 'Ela não foi aceita. Use menos palavras.',
    },
    unreadable: { title: 'Não conseguimos ler esta denúncia', text: 'Use o formulário.' },
    unavailable: {
      title: 'Um momento, por favor',
      text: 'Não podemos aceitar sua denúncia agora. Tente novamente em um minuto.',
    },
    notAllowed: {
      title: 'Não é possível aqui',
      text: 'Esta página aceita apenas solicitações GET e POST.',
    },
    back: 'Voltar ao formulário',
    writeTo: address => `Você também pode escrever para ${address}.`,
    visit: address => `Você também pode denunciar aqui: ${address}.`,
  },
};
