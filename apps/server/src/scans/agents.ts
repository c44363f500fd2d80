/** What fetches links by itself, without a person at that moment. Narrow on purpose: each agent is named. */
export type Automaton = 'link_preview' | 'crawler';

/** Longer user agents are cut, so that nobody can make us read a long one with care. */
export const userAgentLimit = 512;

/** They fetch a link that somebody has put into a message or post, to show a card of it. */
export const linkPreviewAgents = [
  'facebookexternalhit', // Facebook, Messenger; Apple's Messages calls itself so too
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

/** They walk the web for search engines, archives and models. */
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
 * Named only where the user agent begins so. WhatsApp fetches previews as `WhatsApp/2…`, and so does Signal; a browser
 * inside an app may carry the same word further back, and there a person is looking.
 */
export const agentsByBeginning = ['WhatsApp/', 'Viber/'] as const;

const linkPreviews = linkPreviewAgents.map(name => name.toLowerCase());
const crawlers = crawlerAgents.map(name => name.toLowerCase());
const beginnings = agentsByBeginning.map(name => name.toLowerCase());

export function automatonOf(userAgent: string): Automaton | null {
  const agent = userAgent.slice(0, userAgentLimit).toLowerCase();
  if (beginnings.some(name => agent.startsWith(name))) return 'link_preview';
  if (linkPreviews.some(name => agent.includes(name))) return 'link_preview';
  return crawlers.some(name => agent.includes(name)) ? 'crawler' : null;
}
