import type { IncomingHttpHeaders } from 'node:http'

/**
 * Programs that open links without a person, by parts of their `User-Agent`, in lower case: previews of messengers and networks,
 * search engines, scanners of mail, and programs, as each of them announces itself. WhatsApp's browser does not say `WhatsApp`.
 */
const fetchers = [
  ...['whatsapp/', 'facebookexternalhit', 'facebookcatalog', 'facebot', 'meta-external'],
  ...[
    'telegrambot',
    'slackbot',
    'slack-imgproxy',
    'twitterbot',
    'discordbot',
    'linkedinbot',
    'pinterestbot',
    'redditbot',
  ],
  ...['skypeuripreview', 'microsoftpreview', 'vkshare', 'kakaotalk-scrap', 'iframely', 'embedly', 'bitlybot'],
  ...[
    'googlebot',
    'google-safety',
    'google-inspectiontool',
    'adsbot',
    'bingbot',
    'bingpreview',
    'applebot',
    'yandexbot',
  ],
  ...['duckduckbot', 'baiduspider', 'bytespider', 'petalbot', 'semrushbot', 'ahrefsbot', 'gptbot', 'claudebot'],
  ...['proofpoint', 'barracuda', 'mimecast', 'safelinks', 'urlscan', 'headlesschrome'],
  ...['curl/', 'wget/', 'python-', 'go-http-client', 'okhttp', 'java/', 'axios/', 'node-fetch', 'postmanruntime'],
]

/** Returns whether a person seems to open a link: no preview, no prefetch, no `HEAD`. A browser announces what it is. */
export function isVisit(method: string, headers: IncomingHttpHeaders): boolean {
  const agent = headers['user-agent']?.toLowerCase() ?? ''
  const isAhead = [headers['sec-purpose'], headers['purpose'], headers['x-moz']]
    .flat()
    .some((word) => /prefetch|preview/i.test(word ?? ''))
  return method === 'GET' && agent !== '' && !isAhead && !fetchers.some((part) => agent.includes(part))
}
