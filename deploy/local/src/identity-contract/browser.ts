/** As much of a browser as the provider's plain pages need: cookies, forms and links, no script. */
export interface Page {
  readonly url: string
  readonly status: number
  readonly text: string
  /** Where a redirect that was not followed leads. */
  readonly location: string | null
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
}
const plainText = (text: string) =>
  text.replace(/&(?:amp|quot|#39|#x27|lt|gt);/g, (entity) => entities[entity] ?? entity)
const attribute = (tag: string, name: string) => {
  const match = new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)
  return match?.[1] === undefined ? undefined : plainText(match[1])
}

/** A browser that follows redirects only inside the provider's origin. */
export function createBrowser(issuer: string) {
  const origin = new URL(issuer).origin
  const cookies = new Map<string, string>()

  async function visit(url: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...(cookie && { cookie }) } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined) cookies.set(name, value ?? '')
    }
    const text = await response.text()
    const location = response.headers.get('location')
    const next = location === null ? undefined : new URL(location, url)
    if (response.status >= 300 && response.status < 400 && next?.origin === origin) return visit(next.href)
    return { url, status: response.status, text, location: next?.href ?? null }
  }

  /** Submits the page's form with its hidden fields. */
  function submit(page: Page, fields: Record<string, string> = {}): Promise<Page> {
    const form = /<form\b[^>]*>/i.exec(page.text)?.[0] ?? ''
    const hidden = (page.text.match(/<input\b[^>]*type="hidden"[^>]*>/gi) ?? []).map((tag): [string, string] => [
      attribute(tag, 'name') ?? '',
      attribute(tag, 'value') ?? '',
    ])
    const action = new URL(attribute(form, 'action') ?? page.url, page.url)
    return visit(action.href, { method: 'POST', body: new URLSearchParams([...hidden, ...Object.entries(fields)]) })
  }

  /** Presses the one thing to press on a page: its button, or the link that Keycloak shows in its place. */
  function proceed(page: Page): Promise<Page> {
    if (/<form\b/i.test(page.text)) return submit(page)
    const links = page.text.match(/<a\b[^>]*>/gi) ?? []
    const link = links.map((tag) => attribute(tag, 'href')).find((href) => href?.includes('/login-actions/'))
    if (link === undefined) throw new Error(`There is nothing to press on ${page.url}`)
    return visit(new URL(link, page.url).href)
  }

  return { visit, submit, proceed }
}
