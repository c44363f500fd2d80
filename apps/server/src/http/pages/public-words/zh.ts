import type { PublicWords } from './words.ts';

export const zh: PublicWords = {
  pages: {
    paused: {
      title: '此二维码已暂停使用',
      text: '所有者已将其暂停。请稍后再试，或向张贴此码的地方咨询。',
    },
    not_begun: {
      title: '此二维码尚未生效',
      text: '所有者设定了开始使用的时间。请稍后再试，或向张贴此码的地方咨询。',
    },
    ended: {
      title: '此二维码已失效',
      text: '其指向的内容已经结束。请向张贴此码的地方咨询。',
    },
    stopped: {
      title: '为保障您的安全，此二维码已被封禁',
      text: '它可能曾指向有害网页。如果您在该网页输入过密码，请立即修改。如果您输入过银行卡信息，请致电您的银行。',
    },
    held: {
      title: '此二维码尚未确认',
      text: '所有者还需要验证电子邮箱地址。请稍后再试。',
    },
    unknown: {
      title: '此二维码不存在',
      text: '如果链接是手动输入的，请检查是否有误。',
    },
    home: {
      title: '此地址用于二维码',
      text: '扫描二维码即可打开其指向的页面。这里没有其他内容。',
    },
    not_connected: {
      title: '此域名未连接',
      text: '使用此域名印制的二维码目前无法使用。请稍后再试，或向您看到二维码的地方询问。',
    },
    deleted: {
      title: '此二维码已停用',
      text: '所有者已将其永久删除。',
    },
    busy: {
      title: '请稍候',
      text: '您的网络打开的二维码过多。请等待一分钟后重新扫描。',
    },
    unavailable: {
      title: '请稍候',
      text: '暂时无法打开此二维码。请在几秒钟后重新扫描。',
    },
    not_allowed: {
      title: '此链接只能打开',
      text: '短链接仅接受 GET 和 HEAD 请求。如需更改目标地址，请使用 API 或控制台。',
    },
  },
  reference: id => `参考编号：${id}`,
  preview: {
    oneHost: '此二维码指向',
    manyHosts: '此二维码可能指向',
    andMore: '以及更多',
    changedOn: day => `最后更改日期：${day}`,
    note: '这只是预览：您没有被跳转，也没有计入扫描次数。这些网站并非由我们运营，可能会再次跳转。',
    report: '举报有害链接',
  },
  report: {
    title: '举报链接',
    titleNotSent: '未提交：举报链接',
    lead: '我们的某个短链接或二维码是否指向有害内容？请告诉我们，我们会进行核查。',
    notSent: {
      title: '您的举报未提交。',
      text: '请重新填写表单并更正标记的字段。在举报填写完整之前，我们不会保存任何内容。',
    },
    link: '短链接',
    linkHint: begin => `以 ${begin} 开头`,
    linkMissing: '请输入短链接。',
    linkForeign: begin =>
      `这不是我们的短链接。我们的短链接以 ${begin} 开头。请输入二维码中的链接，而不是它指向的网页。`,
    linkUnknown: '此二维码不存在。请检查链接是否有误。',
    question: '有什么问题？',
    kindMissing: '请选择其中一项。',
    kinds: {
      phishing: { title: '网络钓鱼', text: '冒充他人骗取密码或支付信息。' },
      malware: { title: '恶意软件', text: '诱导用户下载或安装有害内容。' },
      scam: { title: '诈骗', text: '以虚假承诺骗取钱财，例如虚假商店或虚假中奖。' },
      illegal: { title: '违法内容', text: '指向违反法律的内容。' },
      other: { title: '其他', text: '请在下方说明问题。' },
    },
    details: '详细说明',
    detailsHint: max => `选填；如果选择“其他”则必填。最多 ${max} 个字符。请勿填写密码或个人信息。`,
    detailsMissing: '请说明有什么问题。',
    detailsLong: max => `最多 ${max} 个字符。`,
    send: '提交举报',
    privacy: days => `您填写的内容和提交时间将保存 ${days} 天。我们不会保存您的 IP 地址或任何浏览器信息。`,
    thanks: {
      title: '感谢您的举报',
      text: '我们会核查该链接指向的内容。如果有害，我们会将其封禁。',
      advice:
        '我们不知道您是谁，因此无法回复。如果您在该网页输入过密码或银行卡号，请立即修改密码或致电您的银行。',
      another: '举报其他链接',
    },
    limited: {
      title: '举报次数过多',
      text: '我们已收到来自您网络的大量举报，因此未能受理此次举报。请稍后再试。',
    },
    full: {
      title: '今日举报过多',
      text: '今天收到的举报超出了我们的处理能力，因此未能受理此次举报。请明天再试。',
    },
    large: { title: '举报内容过长', text: '未能受理。请精简内容。' },
    unreadable: { title: '无法读取此举报', text: '请使用表单提交。' },
    unavailable: {
      title: '请稍候',
      text: '暂时无法受理您的举报。请一分钟后再试。',
    },
    notAllowed: { title: '此处无法执行该操作', text: '此页面仅接受 GET 和 POST 请求。' },
    back: '返回表单',
    writeTo: address => `您也可以发送邮件至 ${address}。`,
    visit: address => `您也可以在此举报：${address}`,
  },
};
