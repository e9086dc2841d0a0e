import { vi } from 'vitest'

export interface StubPopup {
  readonly name: string
  readonly features: string
  closed: boolean
  /** Address to which the page has sent it. */
  readonly url: () => URL
  /** Parameters that the handler page reports to its opener. */
  readonly report: (params: Record<string, string>) => void
}

/** Stands in for the browser's popups. @returns those opened so far; a name that is used again finds its window. */
export function stubPopups(): StubPopup[] {
  const opened: (StubPopup & { window: unknown })[] = []
  vi.stubGlobal('open', (_url: string | undefined, name: string, features: string) => {
    const known = opened.find((popup) => popup.name === name && !popup.closed)
    if (known) return known.window
    const location = {
      href: 'about:blank',
      replace: (to: string) => {
        location.href = to
      },
    }
    const popup = {
      name,
      features,
      closed: false,
      url: () => new URL(location.href),
      report: (params: Record<string, string>) => {
        const state = popup.url().searchParams.get('state') ?? ''
        const url = `${window.location.origin}/auth/handler?${new URLSearchParams({ state, ...params })}`
        const data = { source: 'oidc-client', url, keepOpen: false }
        window.dispatchEvent(new MessageEvent('message', { data, origin: window.location.origin }))
      },
      window: {
        location,
        focus: () => {},
        close: () => {
          popup.closed = true
        },
        get closed() {
          return popup.closed
        },
      },
    }
    opened.push(popup)
    return popup.window
  })
  return opened
}
