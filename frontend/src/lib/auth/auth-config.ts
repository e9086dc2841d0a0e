/** The key that names this page's project to the server; it opens nothing. */
export const apiKey: string = import.meta.env['VITE_API_KEY'] || 'parley-web'

/** Target of the optional token sync, a path of our own origin; `""` for none. */
export const tokenSyncUrl: string = import.meta.env['VITE_TOKEN_SYNC_URL'] ?? ''

/** The origin that signs people in is our own; `""` on a page that has none, such as a file or a sandboxed frame. */
export const authOrigin: string = window.location.origin === 'null' ? '' : window.location.origin

const mobile = /Android|iPhone|iPad|Mobi/i.test(navigator.userAgent)

/** Longer on phones, whose network is slower. */
export const authTimes = {
  /** Limit for renewing the sign-in, and for a popup to load. */
  frameMs: mobile ? 60_000 : 30_000,
  /** Limit for the result of a popup after it was announced. */
  pingMs: mobile ? 15_000 : 5_000,
  /** Time from seeing the popup closed to giving up. */
  popupGraceMs: 8_000,
  eventCacheMs: 10 * 60_000,
  tokenSyncMaxAgeSeconds: 300,
} as const
