/** Software that fetches links on its own, with no person involved. The list is narrow on purpose: every agent is named. */
export type AutomatedAgent = 'link_preview' | 'crawler';

/** Longer user agents are truncated, so that a client cannot make us parse a huge one. */
export const userAgentLimit = 512;

/** They fetch a link that was posted in a message, to show a preview card of it. */
export const linkPreviewAgents = [
  'facebookexternalhit', // Facebook, Messenger; Apple's Messages sends it too
  'Facebot',
  'Twitterbot',
  'LinkedInBot',
  'Slackbot',
  'Discordbot',
  'TelegramBot',
  'SkypeUriPreview', // Skype and Teams
  'BingPreview',
  'redditbot',
  'Pinterestbot',
  'Pinterest/0.',
  'vkShare',
  'kakaotalk-scrap',
  'Snap URL Preview',
  'Bluesky Cardyb',
  'Mastodon/',
  'Embedly',
  'Iframely',
  'Google-PageRenderer', // Google Messages and Chat
] as const;

/** They crawl the web for search engines, archives and language models. */
export const crawlerAgents = [
  'Googlebot',
  'AdsBot-Google',
  'bingbot',
  'Applebot',
  'DuckDuckBot',
  'YandexBot',
  'Baiduspider',
  'PetalBot',
  'Bytespider',
  'Amazonbot',
  'AhrefsBot',
  'SemrushBot',
  'GPTBot',
  'OAI-SearchBot',
  'ClaudeBot',
  'PerplexityBot',
  'CCBot',
  'meta-externalagent',
] as const;

/**
 * Matched only at the start of the user agent. WhatsApp fetches previews as `WhatsApp/2…`, and so does Signal. A browser
 * inside an app may carry the same word further back, and there a person is looking.
 */
export const agentsByPrefix = ['WhatsApp/', 'Viber/'] as const;

const linkPreviews = linkPreviewAgents.map(name => name.toLowerCase());
const crawlers = crawlerAgents.map(name => name.toLowerCase());
const prefixes = agentsByPrefix.map(name => name.toLowerCase());

export function detectAutomatedAgent(userAgent: string): AutomatedAgent | null {
  const agent = userAgent.slice(0, userAgentLimit).toLowerCase();
  if (prefixes.some(name => agent.startsWith(name))) return 'link_preview';
  if (linkPreviews.some(name => agent.includes(name))) return 'link_preview';
  return crawlers.some(name => agent.includes(name)) ? 'crawler' : null;
}
