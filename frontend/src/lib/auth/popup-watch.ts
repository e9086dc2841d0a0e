import { authTimes } from './auth-config.ts'

const pollMs = 500

/**
 * Reason why a popup is given up: it was closed, it did not load, or its announced result did not come. Each is only a guess from
 * outside, so the caller asks the server before it believes it.
 */
type PopupEnd = 'closed' | 'not-loaded' | 'no-result'

interface PopupWatch {
  /** Resolves when the popup is given up; never rejects. */
  readonly ended: Promise<PopupEnd>
  /** The handler page has said that the session is there. */
  resultAnnounced(): void
  stop(): void
}

/**
 * Watches a sign-in popup: 8 s of grace after it is seen closed, 30 s (mobile 60 s) to leave its
 * empty page, 5 s (mobile 15 s) from the announcement of a result to the result.
 */
export function watchPopup(popup: Window): PopupWatch {
  const openedAt = Date.now()
  let closedAt: number | undefined
  let announcedAt: number | undefined
  let loaded = false
  let timer: ReturnType<typeof setInterval> | undefined

  function end(): PopupEnd | undefined {
    const now = Date.now()
    loaded ||= hasLeftEmptyPage(popup)
    if (popup.closed) closedAt ??= now
    if (closedAt !== undefined && now - closedAt >= authTimes.popupGraceMs) return 'closed'
    if (announcedAt !== undefined && now - announcedAt >= authTimes.pingMs) return 'no-result'
    if (!loaded && closedAt === undefined && now - openedAt >= authTimes.frameMs) return 'not-loaded'
    return undefined
  }

  const ended = new Promise<PopupEnd>((resolve) => {
    timer = setInterval(() => {
      const reason = end()
      if (!reason) return
      clearInterval(timer)
      resolve(reason)
    }, pollMs)
  })
  return {
    ended,
    resultAnnounced: () => {
      announcedAt ??= Date.now()
    },
    stop: () => clearInterval(timer),
  }
}

function hasLeftEmptyPage(popup: Window): boolean {
  try {
    return popup.location.href !== 'about:blank'
  } catch {
    // The page of another site may not be read: so there is one.
    return true
  }
}
